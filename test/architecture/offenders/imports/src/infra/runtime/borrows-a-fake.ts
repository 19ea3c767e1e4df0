// offends: no-import-of-tests
import { fakeClock } from '../../../test/support/fake-clock';

export const offence = fakeClock;
