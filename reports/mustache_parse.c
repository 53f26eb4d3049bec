/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/mustache_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"

struct parse {
	struct tokens *t;
	const char *name, *text, *at;
	char open[16], close[16];
	int line;
	size_t *stack, depth;     /* open sections */
	struct iow_error *e;
};

struct tag {
	char sigil;               /* 0: a plain variable */
	const char *begin, *end;  /* the whole tag */
	char *name;               /* trimmed; owned */
};

static int lines_in(const char *from, const char *to)
{
	int n = 0;

	for (; from < to; from++)
		n += *from == '\n';
	return n;
}

static char *trimmed(const char *from, const char *to)
{
	while (from < to && strchr(" \t\r\n", *from))
		from++;
	while (to > from && strchr(" \t\r\n", to[-1]))
		to--;
	return mem_strndup(from, (size_t)(to - from));
}

/* The tag whose opening delimiter stands at p->at. */
static int tag_read(struct parse *p, struct tag *tag)
{
	const char *s = p->at + strlen(p->open), *end;
	mem_auto char *close = NULL;

	*tag = (struct tag){ .begin = p->at };
	s += strspn(s, " \t\r\n");
	if (*s && strchr("#^/!>&{=", *s))
		tag->sigil = *s++;
	close = mem_printf("%s%s", tag->sigil == '{' ? "}" : tag->sigil == '=' ? "=" : "", p->close);
	end = strstr(s, close);
	if (!end)
		return err_set(p->e, 0, "%s:%d: a tag is not closed: \"%s\" is missing", p->name, p->line, close);
	tag->name = trimmed(s, end);
	tag->end = end + strlen(close);
	return 0;
}

static int delimiters_set(struct parse *p, const struct tag *tag)
{
	size_t a = strcspn(tag->name, " \t"), b;
	const char *second = tag->name + a + strspn(tag->name + a, " \t");

	b = strlen(second);
	if (!a || !b || a >= sizeof p->open || b >= sizeof p->close || strpbrk(second, " \t="))
		return err_set(p->e, 0, "%s:%d: delimiters are given as {{=<%% %%>=}}", p->name, p->line);
	memcpy(p->open, tag->name, a);
	p->open[a] = 0;
	memcpy(p->close, second, b + 1);
	return 0;
}

static struct token *token_add(struct parse *p, enum token_kind kind)
{
	struct token *k = VEC_ADD(p->t->v, p->t->n);

	k->kind = kind;
	k->line = p->line;
	return k;
}

static void text_add(struct parse *p, const char *from, const char *to)
{
	if (to <= from)
		return;
	token_add(p, TK_TEXT)->text = from;
	p->t->v[p->t->n - 1].len = (size_t)(to - from);
}

/* A tag that prints nothing and stands alone takes its whole line with it. */
static bool stands_alone(const struct parse *p, const struct tag *tag, const char **line, const char **next)
{
	const char *a = tag->begin, *b = tag->end;

	if (!tag->sigil || tag->sigil == '{' || tag->sigil == '&')
		return false;
	while (a > p->text && (a[-1] == ' ' || a[-1] == '\t'))
		a--;
	if (a > p->text && a[-1] != '\n')
		return false;
	b += strspn(b, " \t");
	if (b[0] == '\r' && b[1] == '\n')
		b++;
	if (*b && *b != '\n')
		return false;
	*line = a;
	*next = *b ? b + 1 : b;
	return true;
}

static int section_end(struct parse *p, const struct tag *tag)
{
	struct token *k;
	size_t open;

	if (!p->depth)
		return err_set(p->e, 0, "%s:%d: {{/%s}} closes nothing", p->name, p->line, tag->name);
	open = p->stack[--p->depth];
	if (strcmp(p->t->v[open].name, tag->name) != 0)
		return err_set(p->e, 0, "%s:%d: {{/%s}} does not close {{#%s}} of line %d", p->name, p->line, tag->name,
			       p->t->v[open].name, p->t->v[open].line);
	k = token_add(p, TK_END);
	k->name = mem_strdup(tag->name);
	p->t->v[open].end = p->t->n - 1;
	return 0;
}

static int tag_take(struct parse *p, const struct tag *tag, const char *indent_from)
{
	static const char sigils[] = "{&#^>";
	static const enum token_kind kinds[] = { TK_RAW, TK_RAW, TK_SECTION, TK_INVERTED, TK_PARTIAL };
	const char *found = tag->sigil ? strchr(sigils, tag->sigil) : NULL;
	struct token *k;

	if (tag->sigil == '!')
		return 0;
	if (tag->sigil == '=')
		return delimiters_set(p, tag);
	if (!*tag->name)
		return err_set(p->e, 0, "%s:%d: a tag without a name", p->name, p->line);
	if (tag->sigil == '/')
		return section_end(p, tag);
	k = token_add(p, found ? kinds[found - sigils] : TK_ESCAPED);
	k->name = mem_strdup(tag->name);
	if (k->kind == TK_PARTIAL && indent_from)
		k->indent = mem_strndup(indent_from, (size_t)(tag->begin - indent_from));
	if (k->kind == TK_SECTION || k->kind == TK_INVERTED) {
		size_t index = p->t->n - 1;
		*VEC_ADD(p->stack, p->depth) = index;
	}
	return 0;
}

static int next_tag(struct parse *p)
{
	const char *tag_at = strstr(p->at, p->open), *from = p->at, *line = NULL, *next;
	struct tag tag;
	int rc;

	if (!tag_at) {
		text_add(p, from, from + strlen(from));
		p->at = from + strlen(from);
		return 0;
	}
	p->line += lines_in(from, tag_at);
	p->at = tag_at;
	if (tag_read(p, &tag) < 0)
		return -1;
	if (stands_alone(p, &tag, &line, &next)) {
		text_add(p, from, line > from ? line : from);
	} else {
		text_add(p, from, tag_at);
		next = tag.end;
	}
	rc = tag_take(p, &tag, line);
	p->line += lines_in(tag_at, next);
	p->at = next;
	free(tag.name);
	return rc;
}

int tokens_parse(struct tokens *t, const char *name, const char *text, struct iow_error *e)
{
	struct parse p = { .t = t, .name = name, .text = text, .at = text, .open = "{{", .close = "}}", .line = 1, .e = e };
	int rc = 0;

	*t = (struct tokens){ 0 };
	while (*p.at && rc == 0)
		rc = next_tag(&p);
	if (rc == 0 && p.depth)
		rc = err_set(e, 0, "%s:%d: {{#%s}} is not closed", name, t->v[p.stack[p.depth - 1]].line,
			     t->v[p.stack[p.depth - 1]].name);
	free(p.stack);
	if (rc < 0)
		tokens_release(t);
	return rc;
}

void tokens_release(struct tokens *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->v[i].name);
		free(t->v[i].indent);
	}
	free(t->v);
	*t = (struct tokens){ 0 };
}
