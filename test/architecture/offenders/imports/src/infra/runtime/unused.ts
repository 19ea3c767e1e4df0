// offends: no-orphans
export const offence = 'nobody imports this';
