import type { ServerResponse } from 'node:http';
import { HttpReply } from '../../../../src/delivery/http/chat/http-reply';
import { MAX_TRANSCRIPT_BYTES, Transcript } from '../../../../src/delivery/http/chat/transcript';
import type { ReplyEnding, SentAnswer } from '../../../../src/usecase/port/reply';
import { LoopbackServer } from '../../../support/loopback-server';
import { FAILED_ATTEMPT } from '../../../support/sample-attempt';
import { aFrame, anAnswer, FALLEN_BACK, someFacts } from '../../../support/sample-facts';

const WORD = aFrame('{"model":"gpt-s","choices":[{"delta":{"content":"❄"}}]}');
const STOP = aFrame('{"model":"gpt-s","choices":[{"delta":{},"finish_reason":"stop"}]}', {
  finishReason: 'stop',
});
const USAGE = aFrame('{"model":"gpt-s","choices":[],"usage":{"prompt_tokens":3}}');
const ANSWER = anAnswer('{"model":"gpt-s", "ü":1}');
const DECLINED = {
  code: 'provider_error_returned',
  status: 400,
  error: { message: 'filtered', type: 'invalid_request_error', code: 'content_filter', param: null },
} as const;

type Got = Readonly<{ status: number; headers: Record<string, string>; body: string }>;

describe('an answer that is repeated', () => {
  let server: LoopbackServer;
  let handle: (res: ServerResponse) => void;

  beforeAll(async () => {
    server = await LoopbackServer.start((_req, res) => handle(res));
  });
  afterAll(() => server.stop());

  const replyTo = (res: ServerResponse, requestId: string): HttpReply => {
    res.setHeader('x-request-id', requestId);
    const transcript = new Transcript();
    return new HttpReply(res, {
      requestId,
      includeUsage: true,
      receivedAtMs: 1_000,
      nowMs: () => 1_000,
      transcript,
    });
  };

  const get = async (respond: (res: ServerResponse) => void): Promise<Got> => {
    handle = respond;
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    const headers = Object.fromEntries(response.headers);
    for (const framing of ['date', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])
      delete headers[framing];
    const text = await response.text();
    return { status: response.status, headers, body: text.replaceAll(/^:.*\n\n/gm, '') };
  };

  /** What the first caller got, and what the second one gets for it. */
  const twice = async (
    before: (reply: HttpReply) => void,
    ending: ReplyEnding,
  ): Promise<Readonly<{ first: Got; again: Got }>> => {
    let kept: SentAnswer | null = null;
    const first = await get((res) => {
      const reply = replyTo(res, 'req_1');
      before(reply);
      kept = reply.transcript(ending);
      end(reply, ending);
    });
    // It was stored in between.
    const stored = JSON.parse(JSON.stringify(kept)) as SentAnswer;
    const again = await get((res) => replyTo(res, 'req_2').repeat(stored, 'req_1'));
    return { first, again };
  };

  const nothing = (): void => undefined;
  const words = (reply: HttpReply): void => void reply.write([WORD, STOP, USAGE], FALLEN_BACK);
  const opened = (reply: HttpReply): void => {
    reply.open();
    words(reply);
  };

  it.each<[name: string, before: (reply: HttpReply) => void, ending: ReplyEnding]>([
    ['a whole answer', nothing, { kind: 'answer', answer: ANSWER, facts: someFacts() }],
    ['a whole answer after failover', nothing, { kind: 'answer', answer: ANSWER, facts: FALLEN_BACK }],
    ['a stream', words, { kind: 'end', facts: FALLEN_BACK }],
    ['a stream without a frame', nothing, { kind: 'end', facts: someFacts() }],
    ['a stream that was opened early', opened, { kind: 'end', facts: FALLEN_BACK }],
    ['a refusal by the model', nothing, { kind: 'fail', error: DECLINED, attempts: [FAILED_ATTEMPT] }],
    ['a refusal in an open stream', opened, { kind: 'fail', error: DECLINED, attempts: [FAILED_ATTEMPT] }],
  ])('is %s, byte for byte, with the headers that said something of it', async (_, before, ending) => {
    const { first, again } = await twice(before, ending);

    expect(first.headers['x-request-id']).toBe('req_1');
    expect(again).toEqual({
      ...first,
      headers: { ...first.headers, 'idempotent-replayed': 'true' },
    });
  });

  it('is complete, though the caller left while its end came', async () => {
    let kept: SentAnswer | null = null;
    await get((res) => {
      const reply = replyTo(res, 'req_1');
      reply.write([WORD], someFacts());
      res.destroy();
      reply.write([STOP], someFacts());
      kept = reply.transcript({ kind: 'end', facts: someFacts() });
    }).catch(nothing);

    expect(kept!.body).toMatch(/❄[\s\S]*"finish_reason":"stop"[\s\S]*data: \[DONE\]\n\n$/);
  });

  describe('is not kept', () => {
    it('where nobody will ask for a stream again', async () => {
      let kept: SentAnswer | null | undefined;
      await get((res) => {
        const to = { requestId: 'req_1', includeUsage: false, receivedAtMs: 0, nowMs: () => 0 };
        const reply = new HttpReply(res, to);
        words(reply);
        kept = reply.transcript({ kind: 'end', facts: FALLEN_BACK });
        reply.end(FALLEN_BACK);
      });

      expect(kept).toBeNull();
    });

    it('where a whole answer is a byte too large', async () => {
      const frame = '{"model":"gpt-s","b":""}';
      const keptOf = async (bytes: number): Promise<SentAnswer | null> => {
        const text = frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
        let kept: SentAnswer | null = null;
        await get((res) => {
          const reply = replyTo(res, 'req_1');
          kept = reply.transcript({ kind: 'answer', answer: anAnswer(text), facts: someFacts() });
          res.end();
        });
        return kept;
      };

      expect((await keptOf(MAX_TRANSCRIPT_BYTES))!.body).toHaveLength(MAX_TRANSCRIPT_BYTES);
      expect(await keptOf(MAX_TRANSCRIPT_BYTES + 1)).toBeNull();
    });
  });
});

describe('a transcript', () => {
  const HALF = 'x'.repeat(MAX_TRANSCRIPT_BYTES / 2);

  it('keeps as much as it may, and lets go of all of it with the first byte more', () => {
    const full = new Transcript();
    full.add(HALF);
    full.add(HALF.slice(1));
    const over = new Transcript();
    over.add(HALF);
    over.add(HALF);

    expect(full.complete('y')?.body).toHaveLength(MAX_TRANSCRIPT_BYTES);
    expect(over.complete('y')).toBeNull();
  });

  it('counts bytes, not characters', () => {
    const transcript = new Transcript();
    transcript.add('❄'.repeat(MAX_TRANSCRIPT_BYTES / 2));

    expect(transcript.complete('')).toBeNull();
  });

  it('is not filled again once it was too much', () => {
    const transcript = new Transcript();
    transcript.add(HALF);
    transcript.add(`${HALF}y`);
    transcript.add('z');

    expect(transcript.complete('')).toBeNull();
  });
});

function end(reply: HttpReply, ending: ReplyEnding): void {
  switch (ending.kind) {
    case 'answer':
      return reply.answer(ending.answer, ending.facts);
    case 'end':
      return reply.end(ending.facts);
    case 'fail':
      return reply.fail(ending.error, ending.attempts);
  }
}
