/* eslint-disable-next-line max-params -- there was a reason once */ // offends: unused-disable-directive
export const offence = 1;
