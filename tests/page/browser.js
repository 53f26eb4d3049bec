// SPDX-License-Identifier: Apache-2.0
// Chromium over its own pipe (file descriptors 3 and 4): messages are JSON, each ended by a zero byte.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
	'--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
	'--disable-extensions', '--hide-scrollbars', '--font-render-hinting=none', '--lang=en', '--remote-debugging-pipe'];

export class Browser {
	constructor(program, scratch) {
		this.profile = mkdtempSync(join(scratch, 'profile.'));
		this.process = spawn(program, [...flags, `--user-data-dir=${this.profile}`, 'about:blank'],
			{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: this.profile } });
		this.next = 1;
		this.waiting = new Map();
		this.listeners = new Set();
		let rest = Buffer.alloc(0);
		this.process.stdio[4].on('data', (data) => {
			rest = Buffer.concat([rest, data]);
			for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1))
				this.receive(JSON.parse(rest.subarray(0, end).toString()));
		});
		const lost = (why) => {
			for (const { reject } of this.waiting.values())
				reject(new Error(`the browser is gone: ${why}`));
			this.waiting.clear();
		};
		this.process.on('error', lost);
		this.process.on('exit', (code, signal) => { this.gone = true; lost(signal ?? code); });
		this.process.stdio[3].on('error', lost);
	}

	receive(message) {
		const waiting = this.waiting.get(message.id);
		if (!waiting) {
			for (const listener of this.listeners)
				listener(message);
			return;
		}
		this.waiting.delete(message.id);
		if (message.error)
			waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
		else
			waiting.resolve(message.result);
	}

	send(method, params = {}, sessionId = undefined) {
		const id = this.next++;
		return new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject, method });
			this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
		});
	}

	// A new tab; page.send() speaks to it, page.events lists what it told since.
	async page() {
		const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
		const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
		const page = new Page(this, targetId, sessionId);
		this.listeners.add(page.listener);
		for (const domain of ['Page', 'Network', 'Runtime', 'Log', 'Audits', 'DOM'])
			await page.send(`${domain}.enable`);
		return page;
	}

	async close() {
		const gone = new Promise((resolve) => (this.gone ? resolve() : this.process.once('exit', resolve)));
		this.send('Browser.close').catch(() => {});
		const slow = setTimeout(() => this.process.kill('SIGKILL'), 3000);
		await gone;
		clearTimeout(slow);
		rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
	}
}

class Page {
	constructor(browser, targetId, sessionId) {
		Object.assign(this, { browser, targetId, sessionId, events: [], loaded: null });
		this.listener = (m) => {
			if (m.sessionId !== sessionId)
				return;
			this.events.push(m);
			if (m.method === 'Page.loadEventFired' && this.loaded)
				this.loaded();
		};
	}

	send(method, params) { return this.browser.send(method, params, this.sessionId); }

	async open(url) {
		this.events = [];
		const loaded = new Promise((resolve) => { this.loaded = resolve; });
		const answer = await this.send('Page.navigate', { url });
		if (answer.errorText)
			throw new Error(`${url}: ${answer.errorText}`);
		await loaded;
	}

	// What `code` gives, by value; a promise is waited for.
	async evaluate(code) {
		const r = await this.send('Runtime.evaluate', { expression: code, awaitPromise: true, returnByValue: true });
		if (r.exceptionDetails)
			throw new Error(r.exceptionDetails.exception?.description ?? r.exceptionDetails.text);
		return r.result.value;
	}

	async look(width, height, scheme, media = '') {
		await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
		await this.send('Emulation.setEmulatedMedia',
			{ media, features: [{ name: 'prefers-color-scheme', value: scheme },
				{ name: 'prefers-reduced-motion', value: 'reduce' }] });
	}

	async key(key, code, modifiers = 0) {
		const text = key === 'Enter' ? '\r' : undefined;
		await this.send('Input.dispatchKeyEvent',
			{ type: text ? 'keyDown' : 'rawKeyDown', key, code: key, windowsVirtualKeyCode: code, modifiers, text });
		await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode: code, modifiers });
	}

	async close() {
		this.browser.listeners.delete(this.listener);
		await this.browser.send('Target.closeTarget', { targetId: this.targetId });
	}
}
