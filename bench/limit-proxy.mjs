/**
 * The physical limit: `node:http` and an undici dispatch, the JSON body parsed once and forwarded. Whatever a gateway does
 * beyond this is its own. Arguments: the upstream's port, and the port to listen on (0: any).
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { endWithParent, readBody, tellPort } from './child.mjs';

const [upstreamPort, port = '0'] = process.argv.slice(2);
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, {
  connections: 1_024,
  headersTimeout: 0,
  bodyTimeout: 0,
});

const answering = (res) => ({
  onRequestStart(controller) {
    res.once('close', () => {
      if (!res.writableFinished) controller.abort(new Error('the caller left'));
    });
    res.on('drain', () => controller.resume());
  },
  onResponseStart(_controller, status, headers) {
    res.writeHead(status, { 'content-type': headers['content-type'] });
  },
  onResponseData(controller, chunk) {
    if (!res.write(chunk)) controller.pause();
  },
  onResponseEnd() {
    res.end();
  },
  onResponseError() {
    res.destroy();
  },
});

const server = createServer({ keepAliveTimeout: 120_000 }, async (req, res) => {
  const body = await readBody(req);
  JSON.parse(body);
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' };
  pool.dispatch({ path: req.url, method: 'POST', headers, body }, answering(res));
});

endWithParent();
tellPort(server, Number(port));
