# SPDX-License-Identifier: Apache-2.0
# Reads a bundle's raw lines and plan with nothing but R, computes every comparison and every cell
# anew by METHODS, and compares with results.json. Usage: Rscript bundle_r.R BUNDLE [--gates-void]

json <- function(text) { # JSON as an R expression: only what is outside of strings is rewritten
  token <- gregexpr('"([^"\\\\]|\\\\.)*"|[][{}:,]|[^][{}:,"[:space:]]+', text, perl = TRUE)
  t <- regmatches(text, token)[[1]]
  rest <- c("{" = "list(", "[" = "list(", "}" = ")", "]" = ")", ":" = "=", "true" = "TRUE",
            "false" = "FALSE", "null" = "NULL")
  hit <- t %in% names(rest)
  t[hit] <- rest[t[hit]]
  eval(parse(text = paste(t, collapse = " "), keep.source = FALSE))
}
slurp <- function(name) paste(readLines(file.path(dir, name), warn = FALSE), collapse = "\n")

args <- commandArgs(TRUE)
dir <- args[1]
cells <- json(slurp("cells.json"))
results <- json(slurp("results.json"))
lines <- readLines(file.path(dir, "runs.jsonl"))
lines <- lines[grepl('^\\{"run"', lines)]
runs <- lapply(lines, json)

field <- function(name) vapply(runs, function(r) if (is.null(r[[name]])) NA_real_ else as.numeric(r[[name]]), 0)
latency <- function(i) vapply(runs, function(r) if (length(r$lat) < 1) NA_real_ else as.numeric(r$lat[[1]][[i]]), 0)
value <- list(
  throughput = field("bytes") / (field("wall_ns") / 1e9), iops = field("ios") / (field("wall_ns") / 1e9),
  mean = latency(3), p50 = latency(4), p99 = latency(7), `p99.9` = latency(8),
  cpu_per_gib = vapply(runs, function(r) if (is.null(r$cpu)) NA_real_ else r$cpu[[1]] + r$cpu[[2]], 0) /
    field("bytes") * 2^30)
share <- c(mean = 0, p50 = .5, p99 = .99, p99.9 = .999)
run <- field("run"); cell <- field("cell"); block <- field("block")
replaces <- ifelse(is.na(field("replaces")), 0, field("replaces"))
status <- vapply(runs, function(r) r$status, "")
failed <- status %in% c("failed", "crashed", "hung")

# ---- the warm-up cut: MSER-5 on the intervals of all ok runs of the only test, each over its mean ----
mser5 <- function(x) {
  m <- length(x) %/% 5
  z <- colMeans(matrix(x[seq_len(5 * m)], 5))
  score <- vapply(0:(m %/% 2), function(d) { r <- z[(d + 1):m]; sum((r - mean(r))^2) / length(r)^2 }, 0)
  5 * (which.min(score) - 1)
}
series <- lapply(readLines(file.path(dir, "samples.jsonl"))[-1], json)
cut <- 0
if (length(series) && cells$tests[[1]]$passes == 1) {
  by <- vapply(series, function(s) as.numeric(s$run), 0)
  bytes <- lapply(series, function(s) as.numeric(unlist(s$intervals$bytes)))
  ios <- lapply(series, function(s) as.numeric(unlist(s$intervals$ios)))
  width <- unique(vapply(series, function(s) as.numeric(s$intervals$width_ns), 0))
  stopifnot(length(width) == 1)
  len <- min(lengths(bytes)) - 1
  k <- if (len >= 100) mser5(rowMeans(vapply(bytes, function(b) b[1:len] / mean(b[1:len]), numeric(len)))) else 0
  cut <- k * width
  if (k > 0) {
    at_run <- match(by, run)
    left <- (field("wall_ns")[at_run] - cut) / 1e9
    value$throughput[at_run] <- (field("bytes")[at_run] - vapply(bytes, function(b) sum(b[1:k]), 0)) / left
    value$iops[at_run] <- (field("ios")[at_run] - vapply(ios, function(b) sum(b[1:k]), 0)) / left
  }
}

complete <- function(s, a) { # blocks in order; a block that stands for another only where that is broken
  done <- function(b) any(cell == s & block == b & status == "ok") && any(cell == a & block == b & status == "ok")
  own <- function(b) any(cell %in% c(s, a) & block == b & failed)
  all <- sort(unique(block[cell %in% c(s, a)]))
  Filter(function(b) {
    r <- unique(replaces[cell %in% c(s, a) & block == b])[1]
    done(b) && (r == 0 || !(done(r) || own(r)))
  }, all)
}
at <- function(c, b) which(cell == c & block == b & status == "ok")[1]

worst <- c(); different <- c()
same <- function(what, ours, theirs) {
  theirs <- as.numeric(unlist(theirs))
  stopifnot(length(ours) == length(theirs))
  worst[what] <<- max(worst[what], abs(ours - theirs) / pmax(abs(theirs), 1e-300), na.rm = TRUE)
}
word <- function(what, ours, theirs) if (!identical(ours, theirs)) different <<- c(different, paste(what, ours, theirs))

m <- max(1, cells$family)
p <- c(); declared <- c()
for (k in results$comparisons) {
  s <- k$subject_cell; a <- k$against_cell; v <- value[[k$metric]]
  if (is.null(v)) next
  b <- complete(s, a)
  i <- vapply(b, function(x) at(s, x), 0L); j <- vapply(b, function(x) at(a, x), 0L)
  up <- k$metric %in% c("throughput", "iops")
  d <- if (up) log(v[i]) - log(v[j]) else log(v[j]) - log(v[i])
  w <- if (startsWith(k$metric, "p")) 2 * log1p(.001) else 0
  ci <- function(level) exp(t.test(d, conf.level = level)$conf.int + c(-w, w))
  n <- length(d); wide <- ci(1 - .05 / m); eq <- ci(1 - .10 / m)
  same("blocks", b, k$blocks); same("runs", run[i], k$subject_runs)
  same("log ratios", d, k$log_ratios); same("ratio", exp(mean(d)), k$ratio)
  same("95%", ci(.95), k$ci95); same("deciding", wide, k$deciding_ci); same("equivalence", eq, k$equivalence_ci)
  nearer <- max(0, abs(mean(d)) - w)
  this <- 2 * pt(-nearer / (sd(d) / sqrt(n)), n - 1)
  same("p", this, k$p)
  M <- k$margin
  few <- any(vapply(c(i, j), function(r) {
    q <- share[k$metric]
    !is.na(q) && q > 0 && min(q, 1 - q) * as.numeric(runs[[r]]$lat[[1]][[1]]) < 10 - 1e-9
  }, TRUE))
  fs <- any(cell == s & failed); fa <- any(cell == a & failed)
  verdict <- if (k$verdict == "VOID") "VOID" else if (few) "NO DATA" else if (!k$declared) "NONE" else
    if (n < 5) "INDICATIVE" else
    if (n >= 8 && eq[1] > 1 / (1 + M) && eq[2] < 1 + M) { if (fs || fa) "INCONCLUSIVE" else "EQUIVALENT" } else
    if (wide[1] > 1) { if (fs) "INCONCLUSIVE" else "BETTER" } else
    if (wide[2] < 1) { if (fa) "INCONCLUSIVE" else "WORSE" } else "INCONCLUSIVE"
  word("verdict", verdict, k$verdict)
  p <- c(p, if (verdict %in% c("VOID", "NO DATA")) 1 else this)
  declared <- c(declared, k$declared)
}
if (length(p) == length(results$comparisons) && any(declared)) {
  holm <- p.adjust(c(p[declared], rep(1, m - sum(declared))), "holm")[seq_len(sum(declared))]
  same("Holm", holm, lapply(results$comparisons[declared], function(k) k$p_holm))
}
for (c in results$cells) {
  same("cut", cut, if (is.null(c$warmup_cut_ns)) 0 else c$warmup_cut_ns)
  ok <- which(cell == c$cell & status == "ok")
  for (what in c("throughput", "iops")) {
    x <- value[[what]][ok[order(block[ok])]]
    e <- c[[if (what == "iops") "iops" else "throughput_bytes_per_s"]]
    if (length(x) < 2) next
    same("cell mean", mean(x), e$mean); same("cell 95%", t.test(x)$conf.int, e$ci95)
    same("cell geometric mean", exp(mean(log(x))), e$geometric_mean)
    same("cell geometric 95%", exp(t.test(log(x))$conf.int), e$geometric_ci95); same("cell sd", sd(x), e$sd)
  }
  step <- vapply(runs[ok], function(r) if (is.null(r$clock)) NA_real_ else as.numeric(r$clock[[2]]), 0)
  if (length(ok) > 1 && !anyNA(step)) { # GUM: spread over runs, and a clock off by at most what was read
    x <- value$throughput[ok]; a <- var(x) / length(x)
    b <- (mean(x) * max(step / field("wall_ns")[ok]) / sqrt(3))^2
    half <- qt(.975, (a + b)^2 / (a^2 / (length(x) - 1))) * sqrt(a + b)
    same("cell combined 95%", mean(x) + c(-1, 1) * half, c$throughput_combined_ci95)
  }
  for (what in c("p50", "p99")) { # both ends widened by the bucket of the histogram
    x <- value[[what]][ok[order(block[ok])]]
    e <- c[[paste0("latency_", what, "_ns")]]
    if (length(x) < 2 || is.null(e)) next
    wide <- c(-1, 1) * log1p(.001)
    same("cell percentile", exp(mean(log(x))), e$geometric_mean)
    same("cell percentile 95%", exp(t.test(log(x))$conf.int + wide), e$geometric_ci95)
    same("cell percentile mean 95%", t.test(x)$conf.int * exp(wide), e$ci95)
  }
}
cat("comparisons", length(results$comparisons), "cells", length(results$cells), "\n")
for (w in names(worst)) cat(if (worst[w] <= 1e-9) "agrees" else "DIFFERS", w, format(worst[w], digits = 3), "\n")
for (w in different) cat("DIFFERS", w, "\n")
