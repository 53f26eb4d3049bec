# SPDX-License-Identifier: Apache-2.0
# Reads what against_r prints and computes every figure anew with R's own functions.
# Prints one line for each kind of figure: name, how many, largest relative difference, allowed.

ci <- function(name, i) setNames(i, paste0(name, c("_lo", "_hi")))

three <- function(name, test, m) {
  e <- test(1 - .10 / m); d <- test(1 - .05 / m); n <- test(.95)
  c(setNames(c(n$parameter, n$p.value), paste0(name, c("_df", "_p"))),
    ci(paste0(name, "_95"), exp(n$conf.int)), ci(paste0(name, "_deciding"), exp(d$conf.int)),
    ci(paste0(name, "_equivalence"), exp(e$conf.int)))
}

power_two <- function(delta, n, alpha) {
  t <- qt(alpha / 2, n - 1, lower.tail = FALSE)
  1 - pt(t, n - 1, delta) + pt(-t, n - 1, delta)
}

power_tost <- function(band, sd, n, side) {
  t <- qt(side, n - 1, lower.tail = FALSE)
  2 * (1 - pt(t, n - 1, band / sd * sqrt(n))) - 1
}

first_n <- function(power, least) { n <- least; while (power(n) < .8) n <- n + 1; n }

figures <- function(v) {
  a <- v$a; b <- v$b; la <- log(a); lb <- log(b); n <- length(a); d <- la - lb
  m <- v$scalar[1]; df <- v$scalar[2]; alpha <- v$scalar[3]; effect <- v$scalar[4]; sd0 <- v$scalar[5]
  s <- v$series; ns <- length(s)
  out <- c(mean = mean(a), sd = sd(a), ci("mean95", t.test(a)$conf.int),
    ci("prediction", suppressWarnings(predict(lm(a ~ 1), interval = "prediction"))[1, 2:3]),
    lag1 = acf(a, 1, plot = FALSE)$acf[2], ci("geo95", exp(t.test(la)$conf.int)),
    paired_ratio = exp(mean(d)),
    three("paired", function(level) t.test(la, lb, paired = TRUE, conf.level = level), m),
    welch_ratio = exp(mean(la) - mean(lb[-n])),
    three("welch", function(level) t.test(la, lb[-n], conf.level = level), m),
    negligible = abs(mean(d)) + qt(.95, n - 1) * sd(d) / sqrt(n),
    ci("control", exp(t.test(d, conf.level = .99)$conf.int)),
    setNames(p.adjust(v$p, "holm"), paste0("holm_", 1:n)),
    setNames(p.adjust(v$p, "BH"), paste0("bh_", 1:n)))
  if (n >= 5) out["gap"] <- max(diff(sort(la))[2:(n - 2)]) / diff(range(la))
  g <- summary(lm(d ~ v$order))$coefficients
  tr <- summary(lm(d ~ seq_along(d)))$coefficients
  batch <- tapply(s, rep(1:10, each = ns / 10), mean)
  last <- tail(s, 5)
  ss <- function(x) sum((x - mean(x))^2)
  f <- sapply(4:(ns - 4), function(k) { rss <- ss(s[1:k]) + ss(s[-(1:k)]); (ss(s) - rss) / (rss / (ns - 2)) })
  out <- c(out, gamma = g[2, 1], gamma_se = g[2, 2], gamma_p = g[2, 4], delta_se = g[1, 2],
    trend = tr[2, 1], trend_p = tr[2, 4],
    slope = unname(coef(lm(batch ~ seq_along(batch)))[2]) * 9 / mean(batch),
    snia_range = diff(range(last)) / mean(last),
    snia_excursion = abs(unname(coef(lm(last ~ seq_along(last)))[2])) * 4 / mean(last),
    split_at = which.max(f) + 3, split_f = max(f), jain = sum(a)^2 / (n * sum(a^2)),
    ci("percentile", exp(t.test(log(trunc(a)))$conf.int + c(-1, 1) * log(1.001))),
    t_critical = qt(alpha / 2, df, lower.tail = FALSE),
    f_critical = qf(alpha, df / 3, df, lower.tail = FALSE), beta_quantile = qbeta(alpha, df, 3),
    power = power_two(effect / sd0 * sqrt(n), n, .05 / m),
    smallest = uniroot(function(e) power_two(e * sqrt(n), n, .05 / m) - .8, c(.01, 60), tol = 1e-14)$root)
  out["t_p"] <- 2 * pt(-1.1 * out["t_critical"], df)
  if (n >= 4) out["stein"] <- max(5, ceiling((sd0 * (qt(.975, n - 1) + qt(.8, n - 1)) / effect)^2 + qnorm(.975)^2 / 2))
  out
}

# Only where the product gives them: whole numbers of blocks, and the fitted law by nls.
asked <- function(v, got) {
  d <- log(v$a) - log(v$b); m <- v$scalar[1]; band <- log(1.05); out <- c()
  if ("n_difference" %in% names(got))
    out["n_difference"] <- first_n(function(n) power_two(band / sd(d) * sqrt(n), n, .05 / m), 5)
  if ("n_equivalence" %in% names(got))
    out["n_equivalence"] <- first_n(function(n) power_tost(band, sd(d), n, .05 / m), 8)
  if ("usl_sigma" %in% names(got)) {
    l <- v$load; x <- v$x
    fit <- suppressWarnings(nls(log(x) ~ theta + log(l) - log(1 + s * (l - 1) + k * l * (l - 1)),
      start = list(theta = log(90), s = .03, k = 1e-3), 
      control = nls.control(tol = 1e-8, minFactor = 1e-12, maxiter = 200, warnOnly = TRUE)))
    out <- c(out, usl_sigma = unname(coef(fit)[2]), usl_kappa = unname(coef(fit)[3]), usl_lambda = unname(exp(coef(fit)[1])))
  }
  out
}

worst <- list(); count <- list(); sets <- 0
judge <- function(v, got) {
  want <- c(figures(v), asked(v, got))
  missing <- setdiff(names(want), names(got)); extra <- setdiff(names(got), names(want))
  if (length(missing) || length(extra)) stop("figures differ: ", toString(c(missing, extra)))
  for (k in names(want)) {
    kind <- sub("_[0-9]+$", "", k)
    off <- abs(got[k] - want[k]) / max(abs(want[k]), 1e-300)
    worst[[kind]] <<- max(worst[[kind]], off, 0); count[[kind]] <<- sum(count[[kind]], 1)
  }
  sets <<- sets + 1
}

v <- list(); got <- c()
for (line in readLines(file("stdin"))) {
  w <- strsplit(line, " ")[[1]]
  if (w[1] == "set") { if (length(got)) judge(v, got); v <- list(); got <- c() }
  if (w[1] == "v") v[[w[2]]] <- as.numeric(w[-(1:2)])
  if (w[1] == "r") got[w[2]] <- as.numeric(w[3])
}
judge(v, got)

cat("sets", sets, "\n")
for (k in names(worst)) {
  allowed <- if (grepl("^usl", k)) 1e-6 else 1e-9
  cat(if (worst[[k]] <= allowed) "agrees" else "DIFFERS", k, count[[k]], format(worst[[k]], digits = 2), allowed, "\n")
}
