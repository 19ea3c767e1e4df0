import { canClose, INTERACTION_STATES } from '../../../src/domain/interaction/interaction';

describe('interaction', () => {
  it('can end only while it is open', () => {
    expect(INTERACTION_STATES.filter(canClose)).toEqual(['open']);
  });
});
