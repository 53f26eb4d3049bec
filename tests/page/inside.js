// SPDX-License-Identifier: Apache-2.0
// Functions that run inside the page; each gives a list of faults and uses nothing from outside itself.

// What a validator does not look at: references, names of tables and figures, what could run.
export function structure() {
	const faults = [];
	const all = (css) => [...document.querySelectorAll(css)];
	const show = (e) => e.outerHTML.slice(0, 160);
	const name = (e) => e.getAttribute('aria-label')
		?? (e.getAttribute('aria-labelledby') ?? '').split(' ').map((i) => document.getElementById(i)?.textContent ?? '').join(' ');
	const seen = new Set();

	for (const e of all('[id]'))
		seen.has(e.id) ? faults.push(`id twice: ${e.id}`) : seen.add(e.id);
	for (const e of all('a[href]')) {
		const href = e.getAttribute('href');
		if (href.startsWith('#') ? !seen.has(href.slice(1)) : !/^(https?:\/\/|mailto:)/.test(href))
			faults.push(`leads nowhere: ${show(e)}`);
	}
	for (const e of all('a.ev'))
		if (document.querySelector(e.getAttribute('href'))?.matches('#comparisons:has(h3), #claims:has(h3)'))
			faults.push(`evidence only somewhere in a section: ${show(e)}`);
	for (const e of all('[aria-labelledby], [aria-describedby]'))
		for (const id of `${e.getAttribute('aria-labelledby') ?? ''} ${e.getAttribute('aria-describedby') ?? ''}`.trim().split(/\s+/))
			if (!seen.has(id))
				faults.push(`described by nothing: ${show(e)}`);
	for (const e of all('table'))
		if (!(e.caption?.textContent ?? name(e)).trim())
			faults.push(`a table without a caption: ${show(e)}`);
	for (const e of all('th'))
		if (!/^(col|row|colgroup|rowgroup)$/.test(e.scope) || !e.textContent.trim())
			faults.push(`a head cell without scope or words: ${show(e)}`);
	for (const e of all('tbody tr'))
		if (!e.querySelector('td, th'))
			faults.push(`an empty row: ${show(e)}`);
	for (const e of all('svg'))
		if (e.getAttribute('role') !== 'img' || !name(e).trim() || !e.closest('figure')?.querySelector('figcaption'))
			faults.push(`a figure without role, name or caption: ${show(e)}`);
	for (const e of all('img'))
		if (!e.hasAttribute('alt'))
			faults.push(`an image without words: ${show(e)}`);
	for (const e of all('script, iframe, object, embed, link, base, form, [style], meta[http-equiv=refresh]'))
		faults.push(`not allowed: ${show(e)}`);
	for (const e of all('*'))
		for (const a of e.attributes)
			if (/^on/i.test(a.name) || /^\s*javascript:/i.test(a.value))
				faults.push(`could run: ${show(e)}`);
	if (all('h1').length !== 1 || all('main').length !== 1 || all('h2').length < 2)
		faults.push('not one h1, one main and some h2');
	return faults;
}

// The page is as wide as the window; what is wider scrolls in a region of its own.
export function widths() {
	const root = document.documentElement;
	const faults = [];
	for (const d of document.querySelectorAll('details'))
		d.open = true;
	if (root.scrollWidth <= root.clientWidth)
		return faults;
	for (const e of document.body.querySelectorAll('*'))
		if (e.getBoundingClientRect().right > root.clientWidth + 0.5 && !e.closest('.scroll'))
			faults.push(`${Math.ceil(e.getBoundingClientRect().right)} px: ${e.outerHTML.slice(0, 120)}`);
	return faults.length ? faults : [`${root.scrollWidth} px`];
}

// What stands on the clipboard when a cell with a number is selected: no padding, no sign that a spreadsheet doesn't know.
export function clipboard() {
	const faults = [];
	let numbers = 0;
	const selection = getSelection();
	for (const d of document.querySelectorAll('details'))
		d.open = true;
	for (const cell of [...document.querySelectorAll('td.r')].slice(0, 400)) {
		selection.selectAllChildren(cell);
		const text = selection.toString();
		if (!/^[\s\u2000-\u200f\u202f\u2060\u2212+-]*[0-9][0-9.\s\u2000-\u200f\u202f\u2060]*%?[\s\u2000-\u200a]*$/.test(text))
			continue;
		numbers++;
		if (!/^[-+]?[0-9]+(\.[0-9]+)?%?$/.test(text))
			faults.push(`"${text}" ${[...text].map((c) => c.codePointAt(0).toString(16)).join(' ')}`);
	}
	selection.removeAllRanges();
	return numbers ? faults : ['no cell with a number was found'];
}

// Contrast of each text: of a figure against the last shape painted below its middle, elsewhere against the background of
// the nearest element that has one, and in a region that scrolls also against the dark end of the fade at its edge (but
// for links and tags, whose colour a site chooses: only their last letters pass there).
export function contrast() {
	const faults = [], known = new Map();
	const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const clear = 'rgba(0, 0, 0, 0)';
	const light = (colour) => {
		if (!known.has(colour)) {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = colour;
			canvas.fillRect(0, 0, 1, 1);
			const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255)
				.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
			known.set(colour, 0.2126 * r + 0.7152 * g + 0.0722 * b);
		}
		return known.get(colour);
	};
	const check = (e, ink, ground) => {
		const a = light(ink), b = light(ground), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5)
			faults.push(`${ratio.toFixed(2)}: ${ink} on ${ground}: ${e.outerHTML.slice(0, 160)}`);
	};
	const paper = getComputedStyle(document.body).backgroundColor;
	const fade = getComputedStyle(document.documentElement).getPropertyValue('--hair');
	const accent = document.createElement('a');
	accent.href = '#';
	document.body.append(accent);
	const chosen = getComputedStyle(accent).color;
	accent.remove();
	let texts = 0;

	for (const e of document.body.querySelectorAll('*:not(svg, svg *)')) {
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.closest('.again'))
			continue;
		let on = e;
		while (on && getComputedStyle(on).backgroundColor === clear)
			on = on.parentElement;
		const ground = on ? getComputedStyle(on).backgroundColor : paper;
		check(e, getComputedStyle(e).color, ground);
		if (ground === paper && e.closest('.scroll') && getComputedStyle(e).color !== chosen)
			check(e, getComputedStyle(e).color, fade);
		texts++;
	}
	for (const svg of document.querySelectorAll('svg')) {
		const below = [];
		if (getComputedStyle(svg).display === 'none')
			continue;
		for (const e of svg.children) {
			const style = getComputedStyle(e), box = e.getBoundingClientRect();
			if (e.tagName !== 'text') {
				if (style.fill !== 'none')
					below.push([box, style.fill]);
				continue;
			}
			const x = box.left + box.width / 2, y = box.top + box.height / 2;
			const under = below.findLast(([b]) => x > b.left && x < b.right && y > b.top && y < b.bottom);
			check(e, style.fill, e.classList.contains('halo') || !under ? paper : under[1]);
			texts++;
		}
	}
	return texts ? faults : ['no text was found'];
}

// How many stops the Tab key has, with all folds shut.
export function stops() {
	return [...document.querySelectorAll('a[href], summary, [tabindex="0"]')]
		.filter((e) => e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
			&& getComputedStyle(e).pointerEvents !== 'none').length;
}

// The state after a press of Tab: `window.before` is where the focus was.
export function focusState(i) {
	const faults = [], e = document.activeElement, show = `stop ${i + 1}: ${e.outerHTML.slice(0, 120)}`;
	if (e === document.body)
		return [`stop ${i + 1}: the focus is nowhere`];
	if (window.before && !(window.before.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING))
		faults.push(`out of order, ${show}`);
	window.before = e;
	const style = getComputedStyle(e), box = e.getBoundingClientRect();
	if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2)
		faults.push(`no ring, ${show}`);
	if (box.width < 1 || box.height < 1 || box.bottom < 1 || box.top > innerHeight - 1 || box.left > innerWidth - 1 || box.right < 1)
		faults.push(`out of sight, ${show}`);
	const at = document.elementFromPoint(Math.max(1, Math.min(box.left + 4, innerWidth - 1)), Math.max(1, Math.min(box.top + 4, innerHeight - 1)));
	if (at && !e.contains(at) && !at.contains(e))
		faults.push(`behind ${at.outerHTML.slice(0, 60)}, ${show}`);
	return faults;
}
