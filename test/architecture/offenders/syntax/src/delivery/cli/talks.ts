export const allowed = (): void => console.log('heard');
