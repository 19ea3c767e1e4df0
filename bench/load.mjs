/**
 * The load. Saturation is autocannon's; it can neither pace requests evenly (it sends each second's share as one burst) nor
 * read streams, so those two clients are our own.
 */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import autocannon from 'autocannon';
import { requestBody } from './workload.mjs';

export const PATH = '/v1/chat/completions';
const TIMEOUT_MS = 20_000;

/** As many requests as fast as possible over 64 connections. A number, not a time: none is cut off at the end. */
export async function saturate(target, amount, connections = 64) {
  const startedAt = performance.now();
  let lastAt = startedAt;
  const { promise, resolve, reject } = Promise.withResolvers();
  const options = {
    url: target.url + PATH,
    method: 'POST',
    headers: headersFor(target),
    body: requestBody(),
    connections,
    amount,
    timeout: TIMEOUT_MS / 1_000,
    // It notices only so often that it is done.
    sampleInt: 50,
  };
  const load = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  load.on('response', () => (lastAt = performance.now()));
  const result = await promise;
  return { seconds: (lastAt - startedAt) / 1_000, failures: amount - result['2xx'] };
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/** Requests at a steady rate, each sent when it is due whether or not earlier ones were answered; times in milliseconds. */
export async function pace(target, { perSecond, seconds }) {
  const body = requestBody();
  const total = perSecond * seconds;
  const asked = [];
  const startedAt = performance.now();
  while (asked.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000) + 1);
    while (asked.length < due) asked.push(ask(target, body));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const times = await Promise.all(asked);
  return {
    times: times.filter((time) => time !== null),
    failures: times.filter((time) => time === null).length,
  };
}

/** How long one answer took; null: it failed. */
export function ask(target, body = requestBody()) {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const req = request(target.url + PATH, { method: 'POST', agent, headers: headersFor(target, body) });
    req.on('response', (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode === 200 ? performance.now() - startedAt : null));
      res.on('error', () => resolve(null));
    });
    req.on('error', () => resolve(null));
    req.setTimeout(TIMEOUT_MS, () => req.destroy(new Error('timeout')));
    req.end(body);
  });
}

/** Milliseconds until a process just started gives its first answer. */
export async function firstAnswer(target) {
  const startedAt = performance.now();
  while ((await ask(target)) === null) {
    if (target.child.exitCode !== null) throw new Error('A process ended instead of answering.');
    await new Promise((next) => setTimeout(next, 2));
  }
  return performance.now() - startedAt;
}

function headersFor({ key }, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  return body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
}

/** A whole request as it goes over the socket. */
export function headOf(target, { stream, wire = 'untranslated' }) {
  const body = requestBody({ stream, wire });
  const headers = Object.entries({ host: 'bench', ...headersFor(target, body) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `POST ${PATH} HTTP/1.1\r\n${lines}\r\n${body}`;
}

const DONE = 'data: [DONE]';
const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Many streams at once over kept connections, with as little work of our own per chunk as can be. */
export class StreamClient {
  sockets = [];
  delays = [];

  /** @param {'timed' | 'untimed'} timing whether to read when each chunk was written */
  constructor(target, { wire = 'untranslated', timing = 'untimed' } = {}) {
    this.head = headOf(target, { stream: true, wire });
    this.port = Number(new URL(target.url).port);
    this.timing = timing;
  }

  /** Runs `count` streams to their end; returns how long that took and how many failed. */
  async run(count) {
    while (this.sockets.length < count) this.sockets.push(await this.open());
    const startedAt = performance.now();
    const ended = await Promise.all(this.sockets.slice(0, count).map((socket) => this.stream(socket)));
    this.sockets = this.sockets.filter((socket) => !socket.destroyed);
    return {
      seconds: (performance.now() - startedAt) / 1_000,
      failures: ended.filter((how) => how === 'failed').length,
    };
  }

  close() {
    for (const socket of this.sockets) socket.destroy();
  }

  open() {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => resolve(socket));
      socket.setNoDelay(true).on('error', reject);
    });
  }

  stream(socket) {
    return new Promise((resolve) => {
      let tail = '';
      let isOk = null;
      const end = (how) => {
        clearTimeout(timer);
        socket.removeAllListeners('data').removeAllListeners('close');
        if (how === 'failed') socket.destroy();
        resolve(how);
      };
      const timer = setTimeout(() => end('failed'), TIMEOUT_MS);
      socket.on('close', () => end('failed'));
      socket.on('data', (bytes) => {
        const text = bytes.latin1Slice();
        isOk ??= text.startsWith('HTTP/1.1 200');
        if (this.timing === 'timed') this.readDelays(text);
        tail = text.length >= 64 ? text.slice(-64) : (tail + text).slice(-64);
        if (tail.endsWith(LAST_CHUNK)) end(isOk && tail.includes(DONE) ? 'served' : 'failed');
      });
      socket.write(this.head);
    });
  }

  readDelays(text) {
    const now = performance.timeOrigin + performance.now();
    for (const [, writtenAt] of text.matchAll(/t=(\d+\.\d+) /g)) this.delays.push(now - Number(writtenAt));
  }
}
