// SPDX-License-Identifier: Apache-2.0
// node spoil.js BUNDLE TO writes a copy of a bundle in which each string that is not a word of the format goes on with
// something that would run, break out, turn round or vanish; TO.words lists what became what.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [from, to] = process.argv.slice(2);

const worst = [
	'<script>alert(1)</script>',
	'"><img src=x onerror=alert(2)>',
	'\'></svg></title></style></table><svg onload="alert(3)">',
	'<a href="javascript:alert(4)">x</a> &lt;b&gt; &amp;amp; &#60;i>',
	'{{{title}}} {{#facts}} {{>page}} {{^x}}{{/x}} **b** `c` [d](#e) {name} %s %n',
	'\u0001\u0007\u001b[31mred\u001b[0m \u007f\u0085\u009b1m',
	'\u202egnp.exe\u202c \u2066isolated\u2069 \u200fright\u200e \u061c',
	'zero\u200bwidth\u200cjoi\u200dner\u2060\ufeff soft\u00adhyphen \ufffe',
	'two\nlines\tand\r\na tab',
	'Ελληνικά Кириллица 日本語のディスク ÄÖÜß',
	'😀 👩‍👩‍👧 🇩🇪 \u{1F3F4}\u{E0067}\u{E0062}\u{E007F}',
	'שלום עולם 12.5 مرحبا بالعالم',
	'z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b\u030c',
	`/${'a-directory-without-end/'.repeat(12)}${'x'.repeat(40)}`,
	`<!--<!DOCTYPE ]]> ${'nospaceatall'.repeat(20)}`,
];

// Words of the format, which no one can choose freely.
const fixed = new RegExp('^(' + ['format', 'generator/.*', 'plan_sha256', 'set/.*', 'cells/\\d+/(company|spec/.*|key)',
	'questions/\\d+/(kind|metric|named|where)', 'tests/\\d+/(mode|cache|layout|region|waive/.*)', 'targets/\\d+/driver',
	'workloads/\\d+/keys/.*', 'tool/name', 'drivers/\\d+/(caps/\\d+|name|sha256)', 'runs/(status|clock/.*|cold/.*)',
	'end/state'].join('|') + ')$');

const became = new Map();

function spoiled(s) {
	if (!became.has(s))
		became.set(s, `${s} ${worst[became.size % worst.length]}`);
	return became.get(s);
}

// Names are keys of host.json: they are spoiled as in cells.json.
function walk(o, path, names) {
	if (typeof o === 'string')
		return fixed.test(path) ? o : spoiled(o);
	if (Array.isArray(o))
		return o.map((v, i) => walk(v, `${path}/${i}`.replace(/^\//, ''), names));
	if (o === null || typeof o !== 'object')
		return o;
	return Object.fromEntries(Object.entries(o).map(([k, v]) =>
		[names && /^(nodes|targets)$/.test(path) ? spoiled(k) : k, walk(v, `${path}/${k}`.replace(/^\//, ''), names)]));
}

const read = (name) => readFileSync(join(from, name), 'utf8');
const files = {};
files['plan.json'] = read('plan.json').replace('"title": "', `"title": ${JSON.stringify(worst.join(' ')).slice(0, -1)} `);
const cells = walk(JSON.parse(read('cells.json')), '', false);
cells.plan_sha256 = createHash('sha256').update(files['plan.json']).digest('hex');
files['cells.json'] = JSON.stringify(cells);
files['host.json'] = JSON.stringify(walk(JSON.parse(read('host.json')), '', true));
files['runs.jsonl'] = read('runs.jsonl').split('\n').map((l) => (l.startsWith('{"run"')
	? JSON.stringify(walk(JSON.parse(l), 'runs', false)) : l)).join('\n');
files['samples.jsonl'] = read('samples.jsonl');
files['log.txt'] = read('log.txt');

mkdirSync(to);
let evidence = '# iowitness-evidence 1\n';
for (const [name, text] of Object.entries(files)) {
	writeFileSync(join(to, name), text);
	evidence += `${createHash('sha256').update(text).digest('hex')}  ${name}\n`;
}
writeFileSync(join(to, 'EVIDENCE'), evidence);
writeFileSync(`${to}.words`, JSON.stringify([...became]));
