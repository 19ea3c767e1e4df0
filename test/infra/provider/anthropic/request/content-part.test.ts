import type { JsonObject } from '../../../../../src/domain/kernel/json';
import { conversationOf, failureOf, HELLO } from '../claude-contract';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAE=';
const JPEG = '/9j/4AAQSkZJRgABAQAAAQAB';
const GIF = 'R0lGODlhAQABAAAAACw=';
const WEBP = 'UklGRiQAAABXRUJQVlA4IBgA';
const PDF = 'JVBERi0xLjQKJcfsj6IK';
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');

const image = (url: unknown): JsonObject => ({
  type: 'image_url',
  image_url: { url, detail: 'high' } as JsonObject,
});
const file = (file_data: string, filename?: string): JsonObject => ({
  type: 'file',
  file: filename === undefined ? { file_data } : { file_data, filename },
});
const blockOf = (part: JsonObject): unknown => {
  const { messages } = conversationOf([{ role: 'user', content: [part] }]);
  return (messages as readonly { content: readonly JsonObject[] }[])[0]?.content[0];
};
const failureFor = (part: JsonObject, contract = {}): string =>
  failureOf({ messages: [{ role: 'user', content: [part] }] }, contract);

describe('image parts', () => {
  const embedded = (media_type: string, data: string): JsonObject => ({
    type: 'image',
    source: { type: 'base64', media_type, data },
  });

  it.each([
    ['png', `data:image/png;base64,${PNG}`, embedded('image/png', PNG)],
    ['jpeg labelled jpg', `data:image/jpg;base64,${JPEG}`, embedded('image/jpeg', JPEG)],
    ['gif labelled png', `data:image/png;base64,${GIF}`, embedded('image/gif', GIF)],
    ['webp', `data:image/webp;base64,${WEBP}`, embedded('image/webp', WEBP)],
    ['upper case and parameters', `DATA:IMAGE/PNG;name=a.png;BASE64,${PNG}`, embedded('image/png', PNG)],
    ['no label', `data:;base64,${PNG}`, embedded('image/png', PNG)],
    [
      'line breaks',
      `data:image/png;base64,${PNG.slice(0, 9)}\r\n${PNG.slice(9)}\n`,
      embedded('image/png', PNG),
    ],
    [
      'an https URL',
      'https://x.test/a.png',
      { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
    ],
  ])('cross by their bytes: %s', (_name, url, block) => {
    expect(blockOf(image(url))).toEqual(block);
  });

  it.each([
    ['SVG', `data:image/svg+xml;base64,${SVG}`, 'gate'],
    ['a PDF', `data:image/png;base64,${PDF}`, 'gate'],
    ['junk', 'data:image/png;base64,AAAA', 'gate'],
    ['no base64', `data:image/png;base64,${PNG}%20`, 'gate'],
    ['text encoding', 'data:image/png,abc', 'gate'],
    ['more than 10 MB', `data:image/png;base64,${PNG.slice(0, -1)}${'A'.repeat(14_000_000)}`, 'gate'],
    ['plain http', 'http://x.test/a.png', 'gate'],
    ['a file URL', 'file:///etc/passwd', 'gate'],
    ['no text', 7, 'reject'],
  ])('fail at the URL for %s', (_name, url, kind) => {
    expect(failureFor(image(url))).toBe(`${kind} messages[0].content[0].image_url.url`);
  });

  it('are for another route where the model sees nothing', () => {
    expect(failureFor(image(`data:image/png;base64,${PNG}`), { vision: false })).toBe(
      'gate messages[0].content[0].image_url.url',
    );
  });

  it('may stand in tool results', () => {
    const call = { id: 't1', type: 'function', function: { name: 'shot', arguments: '' } };
    const messages = [
      HELLO,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 't1', content: [image(`data:image/png;base64,${PNG}`)] },
    ];

    expect(conversationOf(messages)).toMatchObject({
      messages: [{}, {}, { content: [{ content: [embedded('image/png', PNG)] }] }],
    });
  });
});

describe('file parts', () => {
  const TEXT = Buffer.from('Grüße\n').toString('base64');

  it.each<[string, JsonObject, JsonObject]>([
    [
      'PDF',
      file(`data:application/pdf;base64,${PDF}`, 'a.pdf'),
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: PDF },
        title: 'a.pdf',
      },
    ],
    [
      'PDF whatever its label',
      file(`data:text/plain;base64,${PDF}`),
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
    ],
    [
      'text',
      file(`data:text/plain;charset=utf-8;base64,${TEXT}`, ' '),
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße\n' } },
    ],
  ])('become documents: %s', (_name, part, block) => {
    expect(blockOf(part)).toEqual(block);
  });

  it.each<[string, JsonObject, string]>([
    [
      'another type',
      file(`data:application/zip;base64,${TEXT}`),
      'gate messages[0].content[0].file.file_data',
    ],
    [
      'bytes that are no UTF-8',
      file('data:text/plain;base64,//79'),
      'gate messages[0].content[0].file.file_data',
    ],
    ['an empty text', file('data:text/plain;base64,Cg=='), 'gate messages[0].content[0].file.file_data'],
    ['bare base64', file(PDF), 'gate messages[0].content[0].file.file_data'],
    ['an id', { type: 'file', file: { file_id: 'file-1' } }, 'gate messages[0].content[0].file.file_id'],
    ['nothing', { type: 'file', file: {} }, 'reject messages[0].content[0].file.file_data'],
    ['no object', { type: 'file' }, 'reject messages[0].content[0].file'],
  ])('fail for %s', (_name, part, failure) => {
    expect(failureFor(part)).toBe(failure);
  });

  it('are for another route where the model reads none', () => {
    expect(failureFor(file(`data:application/pdf;base64,${PDF}`), { files: false })).toBe(
      'gate messages[0].content[0].file.file_data',
    );
  });
});

describe('other parts', () => {
  it.each<[string, JsonObject, string]>([
    ['input_audio', { type: 'input_audio', input_audio: {} }, 'gate messages[0].content[0].type'],
    ['video_url', { type: 'video_url', video_url: {} }, 'gate messages[0].content[0].type'],
    ['a name of Object.prototype', { type: 'toString' }, 'gate messages[0].content[0].type'],
    ['no type', { text: 'x' }, 'reject messages[0].content[0].type'],
    ['no object', 'x' as unknown as JsonObject, 'reject messages[0].content[0].type'],
    ['text without text', { type: 'text' }, 'reject messages[0].content[0].text'],
  ])('fail: %s', (_name, part, failure) => {
    expect(failureFor(part)).toBe(failure);
  });

  it('of a user do not cross in a system or assistant message', () => {
    const part = image(`data:image/png;base64,${PNG}`);

    expect(failureOf({ messages: [{ role: 'system', content: [part] }, HELLO] })).toBe(
      'gate messages[0].content[0].type',
    );
    expect(failureOf({ messages: [HELLO, { role: 'assistant', content: [part] }, HELLO] })).toBe(
      'gate messages[1].content[0].type',
    );
  });
});
