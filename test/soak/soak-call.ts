import type { ProviderCall } from '../support/money/provider-call';
import type { ProviderFault } from './provider-fault';

/** A call with what was done to it. */
export type SoakCall = ProviderCall & Readonly<{ fault: ProviderFault }>;

/** Tells the providers that OpenAI's next answer is that our account is at fault. */
export const ACCOUNT_FAULT = 'account_fault';
