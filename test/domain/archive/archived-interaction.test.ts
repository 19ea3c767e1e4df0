import {
  archivedText,
  isTruncated,
  MAX_ARCHIVED_CHARACTERS,
} from '../../../src/domain/archive/archived-interaction';

describe('an archived text', () => {
  it('is whole as long as it may be', () => {
    const longest = 'x'.repeat(MAX_ARCHIVED_CHARACTERS);

    expect(archivedText(longest)).toEqual({ text: longest, characters: MAX_ARCHIVED_CHARACTERS });
    expect(isTruncated(archivedText(longest))).toBe(false);
  });

  it('says how long it was where its end is missing', () => {
    const cut = archivedText(`${'x'.repeat(MAX_ARCHIVED_CHARACTERS)}y`);

    expect(cut.text).toHaveLength(MAX_ARCHIVED_CHARACTERS);
    expect(cut.characters).toBe(MAX_ARCHIVED_CHARACTERS + 1);
    expect(isTruncated(cut)).toBe(true);
  });

  it('never ends in half a character', () => {
    const whole = archivedText(`${'x'.repeat(MAX_ARCHIVED_CHARACTERS - 2)}🏔!`);
    const half = archivedText(`${'x'.repeat(MAX_ARCHIVED_CHARACTERS - 1)}🏔`);

    expect(whole.text.endsWith('🏔')).toBe(true);
    expect(half.text).toHaveLength(MAX_ARCHIVED_CHARACTERS - 1);
  });

  it('is truncated, too, where it was before it came here', () => {
    expect(isTruncated(archivedText('only this', 100))).toBe(true);
  });
});
