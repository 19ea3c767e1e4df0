/** The one row that tells nothing of the secret key but whether another one is the same. */
export type SecretKeyMarkRow = Readonly<{ id: number; mark: string }>;
