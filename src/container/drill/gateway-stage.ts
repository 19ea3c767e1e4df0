import { setTimeout as pause } from 'node:timers/promises';
import type { DependencyContainer } from 'tsyringe';
import type { AuditRecord } from '../../domain/audit/audit-record';
import { freshHealth } from '../../domain/health/route-health';
import type { RoutingPolicy } from '../../domain/routing/routing-policy';
import type { DrillCaller } from '../../infra/drill/drill-caller';
import type { HeldSleeper } from '../../infra/drill/held-sleeper';
import { takeWriteLock } from '../../infra/store/sqlite/write-lock';
import type {
  CallerRequest,
  Performance,
  ProviderAct,
  RehearsalStage,
  Setting,
} from '../../usecase/port/rehearsal-stage';
import { TOKEN } from '../token';
import type { SimulatedProviders } from './simulated-providers';
import { within } from './within';

/** Far more than any scene takes; what is not over by then never will be. */
const SCENE_LIMIT_MS = 20_000;
/** How long a caller who left waits for the gateway to notice and to close the record. */
const SETTLE_LIMIT_MS = 3_000;
const SETTLE_STEP_MS = 5;
/** In which an attempt that must not be made would have been made. */
const AFTERMATH_MS = 30;
const NEWEST = 50;

export type StageParts = Readonly<{
  container: DependencyContainer;
  providers: SimulatedProviders;
  caller: DrillCaller;
  sleeper: HeldSleeper;
  databasePath: string;
}>;

/** The stage on which drills are performed: it directs the providers, plays the caller, and looks at the records. */
export class GatewayStage implements RehearsalStage {
  private setting: Setting | null = null;
  private readonly installed = new Map<string, Readonly<{ policy: RoutingPolicy; version: number }>>();
  private readonly known = new Set<string>();

  constructor(private readonly parts: StageParts) {}

  async ready(setting: Setting): Promise<void> {
    const { container, providers } = this.parts;
    if (setting.tenant !== this.setting?.tenant)
      await container.resolve(TOKEN.tenants).updateTenant(setting.tenant);
    for (const version of setting.policies) await this.install(version.name, version.policy, setting);
    this.setting = setting;
    const health = container.resolve(TOKEN.health);
    for (const route of health.all().keys()) health.set(route, freshHealth());
    providers.reset();
  }

  direct(channel: string, acts: readonly ProviderAct[]): void {
    this.parts.providers.direct(channel, acts);
  }

  async perform(request: CallerRequest): Promise<Performance> {
    const { caller, sleeper, providers } = this.parts;
    const leave = new AbortController();
    let heard = (): void => undefined;
    const output = new Promise<void>((resolve) => (heard = resolve));
    const moment = request.leaves === undefined ? null : this.momentOf(request.leaves, output);
    let leftAtMs: number | null = null;
    const answering = caller.ask(request.body, leave.signal, heard);
    if (moment !== null) {
      await within(SCENE_LIMIT_MS, Promise.race([moment, answering]), 'the moment to hang up never came');
      leftAtMs = Date.now();
      leave.abort();
    }
    const answer = await within(SCENE_LIMIT_MS, answering, 'no answer came');
    sleeper.release();
    const records = await this.settled(answer === null);
    return { answer, records, calls: providers.calls(leftAtMs) };
  }

  async performWithoutStore(request: CallerRequest): Promise<Performance> {
    const giveBack = takeWriteLock(this.parts.databasePath);
    try {
      return await this.perform(request);
    } finally {
      giveBack();
    }
  }

  /** A policy that differs from the one in the store becomes its next version, as it would by the admin API. */
  private async install(name: string, policy: RoutingPolicy, { tenant, nowMs }: Setting): Promise<void> {
    const before = this.installed.get(name);
    if (before?.policy === policy) return;
    const version = (before?.version ?? 0) + 1;
    await this.parts.container.resolve(TOKEN.policies).append({
      tenant: tenant.id,
      name,
      version,
      policy,
      createdAtMs: nowMs,
      createdBy: 'drill',
      restoredFrom: null,
    });
    this.installed.set(name, { policy, version });
  }

  private async momentOf(leaves: NonNullable<CallerRequest['leaves']>, output: Promise<void>): Promise<void> {
    const { providers, sleeper } = this.parts;
    switch (leaves) {
      case 'before_headers':
        return providers.firstCall();
      case 'in_backoff':
        return sleeper.hold();
      case 'mid_stream':
        await providers.firstBytes();
        // Who holds the whole answer says nothing before its end.
        return this.setting?.policy.policy.settings.commitOn === 'complete' ? undefined : output;
    }
  }

  /** The new records, once they are closed and no call is under way. Who has an answer finds his record closed. */
  private async settled(callerLeft: boolean): Promise<readonly AuditRecord[]> {
    const untilMs = Date.now() + SETTLE_LIMIT_MS;
    let records = await this.newRecords();
    const isClosed = (): boolean => records.length > 0 && records.every(({ state }) => state !== 'open');
    while (callerLeft && !isClosed() && Date.now() < untilMs) {
      await pause(SETTLE_STEP_MS);
      records = await this.newRecords();
    }
    if (callerLeft) await pause(AFTERMATH_MS);
    // A call that stays open is what the drill has to show, and no reason to stop here.
    await Promise.race([this.parts.providers.quiet(), pause(SETTLE_LIMIT_MS, undefined, { ref: false })]);
    for (const { requestId } of records) this.known.add(requestId);
    return records;
  }

  private async newRecords(): Promise<readonly AuditRecord[]> {
    const auditLog = this.parts.container.resolve(TOKEN.auditLog);
    const { records } = await auditLog.page({}, { after: null, limit: NEWEST });
    return records.filter(({ requestId }) => !this.known.has(requestId));
  }
}
