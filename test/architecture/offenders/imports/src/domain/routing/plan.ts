export type Plan = Readonly<{ routes: readonly string[] }>;
