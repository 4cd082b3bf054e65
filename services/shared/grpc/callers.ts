import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';
import type { Metadata } from '@grpc/grpc-js';
import { secretsIn } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import { ServiceError } from '../service-error.ts';
import type { AccessRule, Caller } from './access.ts';
import { fromMetadata } from './call-context.ts';
import type { TlsSettings } from './credentials.ts';

const CALLER = 'x-caller';
const CALLER_TOKEN = 'x-caller-token';
/** The names under which the project's own processes call. */
const OWN_NAMES = ['gateway', 'scheduler', 'models', 'operator'] as const satisfies Caller[];

/** How a process proves to one service who it is. */
export interface CallerIdentity {
  /** The name of this process, as in `gateway`. */
  name: string;
  /** Made for that service alone; empty where the certificate of mutual TLS proves the name. */
  token: string;
  /** The setting that holds the token, which messages name. */
  setting: string;
  /** Called when the service refuses the identity. */
  log: Logger;
}

/** Proves a caller's name to the one service whose CALLER_SECRET this is; worth nothing at another service. */
export function callerToken(secretOfService: string, caller: string): string {
  return createHmac('sha256', secretOfService).update(caller).digest('hex');
}

/** @throws Error where neither a token nor a certificate could prove the name */
export function callerIdentity<Setting extends string>(
  name: string,
  setting: Setting,
  config: Record<Setting, string> & TlsSettings,
  log: Logger,
): CallerIdentity {
  const token: string = config[setting];
  if (token === '' && config.GRPC_TLS_CERT === '')
    throw new Error(`${setting} is not set (needed where GRPC_TLS_CERT does not name this process)`);
  return { name, token, setting, log };
}

export function addIdentity(metadata: Metadata, { name, token }: CallerIdentity): void {
  if (token === '') return;
  metadata.set(CALLER, name);
  metadata.set(CALLER_TOKEN, token);
}

export interface CallerSettings extends TlsSettings {
  CALLER_SECRET?: string;
  TRUSTED_CALLERS?: string;
  OPERATOR_TOKEN?: string;
}

interface CallerProof {
  metadata: Metadata;
  getAuthContext: () => { sslPeerCertificate?: PeerCertificate } | null;
}

/**
 * Finds out who calls a server: by a token of this service's secret, by the client certificate's name (CN or DNS name), or
 * as the operator by the operator token. A token counts under mutual TLS as well, for processes that share a certificate.
 */
export class Callers {
  readonly #settings: CallerSettings;
  readonly #callerOf: Map<string, Caller>;
  /** By name, so that a call costs a comparison and no hash. */
  readonly #tokens: Map<string, string>;
  readonly #operatorTokens: string[];

  constructor(settings: CallerSettings) {
    // A copy, since a service's configuration throws at a setting that the service does not declare.
    this.#settings = { ...settings };
    const { CALLER_SECRET, TRUSTED_CALLERS = '' } = this.#settings;
    this.#operatorTokens = secretsIn(this.#settings.OPERATOR_TOKEN ?? '');
    this.#callerOf = new Map([
      ...callerNames(TRUSTED_CALLERS).map((name) => [name, 'internal'] as const),
      ...OWN_NAMES.map((name) => [name, name] as const),
    ]);
    this.#tokens = new Map(
      CALLER_SECRET ? [...this.#callerOf.keys()].map((name) => [name, callerToken(CALLER_SECRET, name)]) : [],
    );
  }

  /** @throws Error where some of those whom the rule admits could never prove who they are */
  requireProofFor(rule: AccessRule): void {
    const { CALLER_SECRET, OPERATOR_TOKEN, GRPC_TLS_CA } = this.#settings;
    if (rule === 'anyone' || CALLER_SECRET || GRPC_TLS_CA) return;
    if (rule.every((caller) => caller === 'operator') && OPERATOR_TOKEN) return;
    throw new Error('CALLER_SECRET is not set (needed where mutual TLS does not name the callers)');
  }

  /** @throws ServiceError unless the rule admits the caller */
  admit(rule: AccessRule, call: CallerProof): void {
    if (rule === 'anyone') return;
    const callers = this.#provenBy(call);
    if (callers.some((caller) => rule.includes(caller))) return;
    const admitted = rule.map((caller) => (caller === 'operator' ? 'the operator' : caller)).join(' or ');
    if (callers.length > 0)
      throw new ServiceError('caller_not_allowed', `This call is for ${admitted}, not for ${callers[0]}.`);
    if (rule.includes('operator'))
      throw new ServiceError('operator_token_required', 'This call needs the operator token.');
    throw new ServiceError('caller_identity_required', `This call needs the identity of ${admitted}.`);
  }

  #provenBy(call: CallerProof): Caller[] {
    const { metadata } = call;
    const name = metadata.get(CALLER)[0]?.toString() ?? '';
    const token = metadata.get(CALLER_TOKEN)[0]?.toString();
    const names = sameSecret(token, this.#tokens.get(name)) ? [name] : [];
    const callers = [...names, ...certifiedNames(call.getAuthContext()?.sslPeerCertificate)]
      .map((proven) => this.#callerOf.get(proven))
      .filter((caller) => caller !== undefined);
    const { operatorToken } = fromMetadata(metadata);
    const isOperator = this.#operatorTokens.some((wanted) => sameSecret(operatorToken, wanted));
    return isOperator ? [...callers, 'operator'] : callers;
  }
}

/** The names in a list such as `news-desk, chat`. */
function callerNames(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The server has checked the certificate against its CA before any call. */
function certifiedNames(certificate: PeerCertificate | undefined): string[] {
  if (!certificate?.subject) return [];
  const alternatives = certificate.subjectaltname?.split(', ') ?? [];
  const dnsNames = alternatives.flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []));
  return [certificate.subject.CN ?? [], dnsNames].flat();
}

/** Compares in a time that does not depend on where two secrets differ. A missing one is the same as none. */
export function sameSecret(given: string | undefined, wanted: string | undefined): boolean {
  if (!given || !wanted) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
