export const fakeClock = { nowMs: (): number => 0 };
