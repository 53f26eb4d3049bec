// SPDX-License-Identifier: Apache-2.0
// node check.js MODULES SCRATCH PAGE[:WHAT,…]… opens each page in Chromium and prints "pass", "fail" and "diag" lines,
// a tab after the first word, and "end" last. WHAT: "keys" walks the page with Tab, "huge" is judged by the first rows
// of its tables, "policy" puts things in that must not run, "spoiled=NAME" is the page of a bundle that spoil.js made of
// the one whose page NAME was seen before.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.js';
import { structure, widths, clipboard, contrast, focusState, stops } from './inside.js';

const [modules, scratch, ...pages] = process.argv.slice(2);
const axe = readFileSync(join(modules, 'axe-core', 'axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

function result(faults, what) {
	console.log(`${faults.length ? 'fail' : 'pass'}\t${what}`);
	for (const line of faults.slice(0, 12))
		console.log(`diag\t${String(line).replace(/\s+/g, ' ').slice(0, 400)}`);
	if (faults.length > 12)
		console.log(`diag\tand ${faults.length - 12} more`);
}

// What axe is not sure of is a fault too, but for contrast: gradients and what is scrolled out of sight leave it in
// doubt there, and contrast() decides. axe's own takes three quarters of its time and is asked of pages with "keys".
async function audit(page, slow) {
	const options = { runOnly: tags, resultTypes: ['violations', 'incomplete'],
		rules: { 'color-contrast': { enabled: slow } } };
	return page.evaluate(`axe.run(document, ${JSON.stringify(options)})
		.then((r) => [...r.violations, ...r.incomplete.filter((v) => v.id !== 'color-contrast')]
			.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html.slice(0, 120) + ' '
				+ n.any.concat(n.all, n.none).map((c) => c.message).join('; '))))`);
}

async function see(page, name, url, what) {
	await page.look(1280, 900, 'light');
	await page.open(url);
	await page.evaluate(axe);
	result(await page.evaluate(`(${structure})()`), `${name}: headings, tables, figures and links hold together`);
	result(await page.evaluate(`(${clipboard})()`), `${name}: a copied number is a number`);
	const faults = [];
	for (const width of what.has('huge') ? [360] : [320, 360, 768, 1280]) {
		await page.look(width, 900, 'light');
		faults.push(...(await page.evaluate(`(${widths})()`)).map((f) => `${width} px: ${f}`));
	}
	result(faults, `${name}: the page never scrolls sideways`);
	if (what.has('huge'))
		await page.evaluate(`document.querySelectorAll('tbody tr:nth-child(n+13), svg > :nth-child(n+60)')
			.forEach((e) => e.remove())`);
	// Rules of axe ask for the layout or for colours, never for both: each of the four is seen.
	for (const [width, scheme, rules] of [[1280, 'light', true], [1280, 'dark', false],
		[360, 'light', false], [360, 'dark', true]]) {
		await page.look(width, 900, scheme);
		if (rules)
			result(await audit(page, what.has('keys')), `${name}: axe finds nothing, ${scheme}, ${width} px`);
		result(await page.evaluate(`(${contrast})()`), `${name}: every text stands out, ${scheme}, ${width} px`);
	}
}

// Every stop of the Tab key: in the document's order, seen, with a ring, not hidden behind something.
async function keys(page, name, url) {
	for (const width of [1280, 360]) {
		await page.look(width, 900, 'light');
		await page.open(url);
		const wanted = await page.evaluate(`(${stops})()`);
		const faults = [];
		for (let i = 0; i < wanted; i++) {
			await page.key('Tab', 9);
			faults.push(...await page.evaluate(`(${focusState})(${i})`));
		}
		result(wanted ? faults : ['there is nothing to visit'],
			`${name}: Tab visits all stops in order and shows where, ${width} px`);
	}
	await page.evaluate('document.querySelector(".skip").focus()');
	await page.key('Enter', 13);
	result(await page.evaluate('location.hash === "#summary" && document.querySelector("#summary")'
		+ '.getBoundingClientRect().top < 300 ? [] : ["it leads to " + location.hash]'),
	`${name}: the first stop leads past the contents`);
}

function told(page, url) {
	const faults = [];
	const of = (method) => page.events.filter((e) => e.method === method).map((e) => e.params);
	for (const { request } of of('Network.requestWillBeSent'))
		if (request.url !== url && !request.url.startsWith('data:image/'))
			faults.push(`a request for ${request.url}`);
	if (!of('Network.requestWillBeSent').some(({ request }) => request.url === url))
		faults.push('the page itself was not asked for: requests are not seen');
	for (const { issue } of of('Audits.issueAdded'))
		faults.push(`${issue.code}: ${JSON.stringify(issue.details)}`);
	for (const { entry } of of('Log.entryAdded'))
		faults.push(`${entry.source}: ${entry.text}`);
	for (const { exceptionDetails } of of('Runtime.exceptionThrown'))
		faults.push(exceptionDetails.text);
	return faults.concat(of('Runtime.consoleAPICalled').map((c) => `console: ${JSON.stringify(c.args)}`));
}

// A script put into the page from outside does not run either: the policy holds, and its report is seen.
async function policy(page, name) {
	const ran = await page.evaluate(`(() => {
		const s = document.createElement('script'), i = new Image();
		s.textContent = 'window.ran = 1';
		i.src = 'http://127.0.0.1:9/';
		document.body.append(s, i);
		document.body.insertAdjacentHTML('beforeend', '<b onclick="window.ran = 2" style="color:red">x</b>');
		document.body.lastChild.click();
		const colour = getComputedStyle(document.body.lastChild).color;
		return [window.ran ?? 0, colour === 'rgb(255, 0, 0)' ? 1 : 0];
	})()`);
	await page.evaluate('new Promise((r) => setTimeout(r, 50))');
	const blocked = page.events.filter((e) => e.method === 'Audits.issueAdded'
		&& e.params.issue.code === 'ContentSecurityPolicyIssue').length;
	result([...(ran[0] ? ['a script ran'] : []), ...(ran[1] ? ['a style attribute held'] : []),
		...(blocked < 3 ? [`${blocked} violations were told, 4 were made`] : [])],
	`${name}: the policy lets nothing run, load or paint that was put in`);
}

// A string as a report shows it: what is invisible or turns the text round is named, blanks are one blank.
function shown(s) {
	const named = (c) => `[U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;
	return s.replace(/\r\n|\n|\t/g, ' ')
		.replace(/(?<![\u2190-\u{10ffff}])\u200d|(?!\u200d)[\p{Cc}\p{Cf}\p{Cn}\u2028\u2029]/gu, named).replace(/\s+/g, ' ');
}

// What a page shows of a bundle, another shows of its spoiled copy: spoil.js says what became what.
function kept(plain, now, words) {
	const alone = (was) => new RegExp(`(?<![\\w-])${was.replace(/[^\w ]/g, '\\$&')}(?![\\w-])`).test(plain);
	const pairs = JSON.parse(readFileSync(words, 'utf8')).filter(([was]) => alone(was));
	const faults = pairs.filter(([, is]) => !now.includes(shown(is).trim())).map(([was, is]) => `${was}: ${shown(is)}`);
	return pairs.length < 20 ? [...faults, `only ${pairs.length} strings of the bundle are shown`] : faults;
}

async function print(page, name) {
	const { data } = await page.send('Page.printToPDF', { preferCSSPageSize: true, printBackground: true });
	writeFileSync(join(scratch, `${name}.print.pdf`), Buffer.from(data, 'base64'));
}

const texts = new Map();
const browser = new Browser(process.env.IOW_CHROMIUM ?? 'chromium', scratch);
try {
	const version = await browser.send('Browser.getVersion');
	console.log(`diag\t${version.product}`);
	for (const argument of pages) {
		const [file, list] = argument.split(':');
		const what = new Set((list ?? '').split(/[,=]/));
		const url = pathToFileURL(resolve(file)).href;
		const name = basename(file, '.html');
		const page = await browser.page();
		await page.send('Page.addScriptToEvaluateOnNewDocument',
			{ source: 'window.alert = window.print = (x) => { window.hit = x ?? true };' });
		await see(page, name, url, what);
		result(told(page, url), `${name}: one request, no violation of the policy, no error`);
		if (what.has('keys'))
			await keys(page, name, url);
		texts.set(name, (await page.evaluate('document.body.textContent')).replace(/\s+/g, ' '));
		if (what.has('spoiled'))
			result(kept(texts.get(list.split('=')[1]), texts.get(name), file.replace('.html', '.iow.words')),
				`${name}: no string of the bundle is lost`);
		result(await page.evaluate('"hit" in window ? ["alert was called"] : []'), `${name}: nothing in it runs`);
		if (!what.has('huge'))
			await print(page, name);
		if (what.has('policy'))
			await policy(page, name);
		await page.close();
	}
	console.log('end');
} finally {
	await browser.close();
}
