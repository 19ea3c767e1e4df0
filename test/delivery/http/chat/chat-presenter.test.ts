import {
  ChunkPresenter,
  presentAnswer,
  servedHeaders,
} from '../../../../src/delivery/http/chat/chat-presenter';
import type { ServedFacts } from '../../../../src/domain/interaction/served-facts';
import type { ChunkFrame } from '../../../../src/domain/stream/frame';
import { aFrame, anAnswer, FALLEN_BACK, MODEL_FALLBACK, someFacts } from '../../../support/sample-facts';

const ANNOTATED = 'gpt-s→claude-s (fallback: gpt-s)';
const EXTENSION = {
  fallback_reason: 'primary_provider_5xx',
  fallback_from: 'gpt-s',
  fallback_to: 'claude-s',
  fallback_from_model: 'gpt-s',
  fallback_to_model: 'claude-s',
  fallback_from_provider: 'openai',
  fallback_to_provider: 'anthropic',
  fallback_cost_multiplier: 3.75,
  served_model: 'claude-s',
  served_provider: 'anthropic',
  attempts: 3,
};

const parse = (text: string | null): Record<string, unknown> => JSON.parse(text ?? 'null');

describe('a whole answer', () => {
  const ODD = '{ "id":"c1",  "model":"gpt-s","x_unknown":1.0,\n"choices":[], "usage":null }';

  it('is relayed byte for byte where nothing has to change', () => {
    expect(presentAnswer(anAnswer(ODD), someFacts(), 'req_1')).toBe(ODD);
  });

  it('is written from its body after a translation', () => {
    const answer = anAnswer('{"id":"c1","model":"gpt-s","choices":[]}', { text: null });

    expect(presentAnswer(answer, someFacts(), 'req_1')).toBe('{"id":"c1","model":"gpt-s","choices":[]}');
  });

  it('names the catalog’s model in place of the provider’s, and nothing else of it changes', () => {
    const answer = anAnswer('{"id":"c1","model":"gpt-s-2026-08-06","x":{"y":[1]}}');

    expect(presentAnswer(answer, someFacts(), 'req_1')).toBe('{"id":"c1","model":"gpt-s","x":{"y":[1]}}');
  });

  it.each<[name: string, facts: ServedFacts, model: string]>([
    ['a model fallback is annotated', FALLEN_BACK, ANNOTATED],
    [
      'a model fallback of `auto` too',
      { ...FALLEN_BACK, requestedModel: 'auto' },
      'auto→claude-s (fallback: gpt-s)',
    ],
    ['not if the policy wants the plain name', { ...FALLEN_BACK, responseModel: 'served' }, 'claude-s'],
    ['an alias is resolved', someFacts({ requestedModel: 'small' }), 'gpt-s'],
    [
      'the same model elsewhere is not annotated',
      someFacts({
        provider: 'azure',
        failover: { ...MODEL_FALLBACK, toProvider: 'azure', toModel: 'gpt-s' },
      }),
      'gpt-s',
    ],
  ])('shows the model: %s', (_name, facts, model) => {
    expect(parse(presentAnswer(anAnswer('{"model":"up"}'), facts, 'req_1'))).toMatchObject({ model });
  });

  it('says of a failover what happened, and whose request it was', () => {
    const answer = anAnswer('{"id":"c1","model":"claude-s"}');

    expect(parse(presentAnswer(answer, FALLEN_BACK, 'req_1'))).toEqual({
      id: 'c1',
      model: ANNOTATED,
      schneeai: EXTENSION,
      request_id: 'req_1',
    });
  });

  it('says which parameters were ignored, without a failover', () => {
    const answer = anAnswer('{"id":"c1","model":"gpt-s"}');

    expect(
      parse(presentAnswer(answer, someFacts({ ignoredParams: ['logit_bias', 'seed'] }), 'req_1')),
    ).toEqual({
      id: 'c1',
      model: 'gpt-s',
      schneeai: {
        served_model: 'gpt-s',
        served_provider: 'openai',
        attempts: 1,
        ignored_params: ['logit_bias', 'seed'],
      },
      request_id: 'req_1',
    });
  });

  // DESIGN §8: facts come only from our own measurements.
  it('never speaks in our name for an upstream', () => {
    const answer = anAnswer(
      '{"id":"c1","model":"gpt-s","schneeai":{"attempts":9},"request_id":"req_theirs"}',
    );

    expect(presentAnswer(answer, someFacts(), 'req_1')).toBe('{"id":"c1","model":"gpt-s"}');
    expect(parse(presentAnswer(answer, FALLEN_BACK, 'req_1'))).toMatchObject({
      schneeai: EXTENSION,
      request_id: 'req_1',
    });
  });
});

describe('the headers of an answer', () => {
  it.each<[name: string, facts: ServedFacts, headers: Record<string, string>]>([
    [
      'nothing happened',
      someFacts(),
      { 'x-schneeai-provider': 'openai', 'x-schneeai-model': 'gpt-s', 'x-schneeai-attempts': '1' },
    ],
    [
      'a failover',
      FALLEN_BACK,
      {
        'x-schneeai-provider': 'anthropic',
        'x-schneeai-model': 'claude-s',
        'x-schneeai-attempts': '3',
        'x-schneeai-fallback-reason': 'primary_provider_5xx',
      },
    ],
    [
      'ignored parameters',
      someFacts({ ignoredParams: ['logit_bias', 'messages[0].name', 'ünknown,field'] }),
      {
        'x-schneeai-provider': 'openai',
        'x-schneeai-model': 'gpt-s',
        'x-schneeai-attempts': '1',
        'x-schneeai-ignored-params': 'logit_bias,messages[0].name,%C3%BCnknown%2Cfield',
      },
    ],
    [
      'names that aren’t ASCII',
      someFacts({ provider: 'schnee ai', model: 'größe→1' }),
      {
        'x-schneeai-provider': 'schnee%20ai',
        'x-schneeai-model': 'gr%C3%B6%C3%9Fe%E2%86%921',
        'x-schneeai-attempts': '1',
      },
    ],
  ])('%s', (_name, facts, headers) => {
    expect(servedHeaders(facts)).toEqual(headers);
  });
});

describe('the chunks of a stream', () => {
  const asked = (facts: ServedFacts = someFacts()) =>
    new ChunkPresenter(facts, { requestId: 'req_1', includeUsage: true });
  const notAsked = (facts: ServedFacts = someFacts()) =>
    new ChunkPresenter(facts, { requestId: 'req_1', includeUsage: false });

  const WORD = '{"id":"c1","model":"gpt-s","choices":[{"delta":{"content":"a"}}]}';
  const FINISH = '{"id":"c1","model":"gpt-s","choices":[{"delta":{},"finish_reason":"stop"}]}';
  const USAGE = '{"id":"c1","model":"gpt-s","choices":[],"usage":{"prompt_tokens":3}}';
  const finish = (text = FINISH): ChunkFrame => aFrame(text, { finishReason: 'stop' });

  it.each([
    ['{ "model":"gpt-s",  "choices":[{"delta":{"content":"\\u00fc"}}] , "x":1.0}'],
    ['{"model":"gpt-s","choices":[],"prompt_filter_results":[{"index":0}]}'],
  ])('are relayed byte for byte where nothing has to change: %s', (text) => {
    expect(notAsked().present(aFrame(text))).toBe(text);
  });

  it('all name the same model', () => {
    const presenter = notAsked(FALLEN_BACK);

    const texts = [WORD, WORD, FINISH].map((text) => presenter.present(aFrame(text.replace('gpt-s', 'up'))));

    expect(texts.map((text) => parse(text)['model'])).toEqual([ANNOTATED, ANNOTATED, ANNOTATED]);
  });

  it('never speak in our name for an upstream', () => {
    const text = '{"model":"gpt-s","choices":[{}],"schneeai":{"attempts":9},"request_id":"req_theirs"}';

    expect(notAsked().present(aFrame(text))).toBe('{"model":"gpt-s","choices":[{}]}');
  });

  describe('to a caller who did not ask for usage', () => {
    it.each<[name: string, text: string]>([
      ['null', '{"id":"c1","model":"gpt-s","choices":[{}],"usage":null}'],
      ['a count', '{"id":"c1","model":"gpt-s","choices":[{}],"usage":{"prompt_tokens":3}}'],
    ])('have no `usage` member where the upstream’s says %s', (_name, text) => {
      expect(notAsked().present(aFrame(text))).toBe('{"id":"c1","model":"gpt-s","choices":[{}]}');
    });

    it('have no usage chunk', () => {
      const presenter = notAsked();

      expect(presenter.present(aFrame(USAGE))).toBeNull();
      expect(presenter.usageChunk()).toBeNull();
    });

    it('carry the extension first and with the finish reason', () => {
      const presenter = notAsked(FALLEN_BACK);

      const [first, middle, last] = [aFrame(WORD), aFrame(WORD), finish()].map((frame) =>
        parse(presenter.present(frame)),
      );

      expect(first).toMatchObject({ schneeai: EXTENSION, request_id: 'req_1' });
      expect(Object.keys(middle ?? {})).toEqual(['id', 'model', 'choices']);
      expect(last).toMatchObject({ schneeai: EXTENSION, request_id: 'req_1' });
    });

    it('carry it on the first chunk that goes out, when the upstream began with usage', () => {
      const presenter = notAsked(FALLEN_BACK);

      expect(presenter.present(aFrame(USAGE))).toBeNull();
      expect(parse(presenter.present(aFrame(WORD)))).toMatchObject({ schneeai: EXTENSION });
    });
  });

  describe('to a caller who asked for usage', () => {
    it('end with the usage chunk, held back until then', () => {
      const presenter = asked();

      const texts = [aFrame(USAGE), aFrame(WORD), finish()].map((frame) => presenter.present(frame));

      expect(texts).toEqual([
        null,
        `${WORD.slice(0, -1)},"usage":null}`,
        `${FINISH.slice(0, -1)},"usage":null}`,
      ]);
      expect(presenter.usageChunk()).toBe(
        '{"id":"c1","model":"gpt-s","choices":[],"usage":{"prompt_tokens":3}}',
      );
    });

    it('are relayed byte for byte where the upstream’s usage is null already', () => {
      const text = '{ "model":"gpt-s", "choices":[{}],  "usage":null, "x":1.0 }';

      expect(asked().present(aFrame(text))).toBe(text);
    });

    it('give usage that came with the finish reason a chunk of its own', () => {
      const presenter = asked();

      const text = presenter.present(
        finish(
          '{"id":"c1","model":"gpt-s","choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":9}}',
        ),
      );

      expect(text).toBe(
        '{"id":"c1","model":"gpt-s","choices":[{"delta":{},"finish_reason":"stop"}],"usage":null}',
      );
      expect(parse(presenter.usageChunk())).toEqual({
        id: 'c1',
        model: 'gpt-s',
        choices: [],
        usage: { total_tokens: 9 },
      });
    });

    it('show only the last of the usage that came cumulatively with every chunk', () => {
      const presenter = asked();
      const withUsage = (tokens: number) =>
        aFrame(WORD.replace('}]}', `}],"usage":{"completion_tokens":${tokens}}}`));

      const texts = [1, 2, 3].map((tokens) => presenter.present(withUsage(tokens)));

      expect(texts.map((text) => parse(text)['usage'])).toEqual([null, null, null]);
      expect(parse(presenter.usageChunk())).toMatchObject({ choices: [], usage: { completion_tokens: 3 } });
    });

    it('have no usage chunk where the provider reported none', () => {
      const presenter = asked();
      presenter.present(aFrame(WORD));

      expect(presenter.usageChunk()).toBeNull();
    });

    it('carry the extension first and on the usage chunk, not with the finish reason', () => {
      const presenter = asked(FALLEN_BACK);

      const [first, last] = [aFrame(WORD), finish()].map((frame) => parse(presenter.present(frame)));
      presenter.present(aFrame(USAGE));

      expect(first).toMatchObject({ schneeai: EXTENSION, request_id: 'req_1', usage: null });
      expect(last).not.toHaveProperty('schneeai');
      expect(parse(presenter.usageChunk())).toEqual({
        id: 'c1',
        model: ANNOTATED,
        choices: [],
        usage: { prompt_tokens: 3 },
        schneeai: EXTENSION,
        request_id: 'req_1',
      });
    });

    it('strip an upstream’s own words from the usage chunk', () => {
      const presenter = asked();
      presenter.present(aFrame('{"model":"up","choices":[],"usage":{},"schneeai":1,"request_id":"x"}'));

      expect(parse(presenter.usageChunk())).toEqual({ model: 'gpt-s', choices: [], usage: {} });
    });
  });
});
