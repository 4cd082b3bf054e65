import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';
import type { Metadata } from '@grpc/grpc-js';
import { secretsIn } from '../configuration/config.ts';
import type { Logger } from '../operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { OWN_CALLERS, type AccessRule, type Caller } from './access.ts';
import { fromMetadata } from './call-context.ts';
import type { TlsSettings } from './credentials.ts';

const CALLER = 'x-caller';
const CALLER_TOKEN = 'x-caller-token';

/** How a process proves its identity to one service. */
export interface CallerIdentity {
  /** The name of this process, for example `gateway`. */
  name: string;
  /** A token for that service only; empty where the certificate of mutual TLS proves the name. */
  token: string;
  /** The setting that holds the token, for messages. */
  setting: string;
  /** Used when the service refuses the identity. */
  log: Logger;
}

/** Proves a caller's name to the one service that has this CALLER_SECRET. Useless at any other service. */
export function callerToken(secretOfService: string, caller: string): string {
  return createHmac('sha256', secretOfService).update(caller).digest('hex');
}

/** @throws Error when neither a token nor a certificate can prove the name */
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
 * Identifies the caller of a server: by a token made from this service's secret, by the name in the client certificate (CN or
 * DNS name), or as the operator by the operator token. Tokens also work under mutual TLS, for processes that share a
 * certificate.
 */
export class Callers {
  readonly #settings: CallerSettings;
  readonly #callerOf: Map<string, Caller>;
  /** Tokens by caller name, computed in advance so that a call costs a comparison and no hash. */
  readonly #tokens: Map<string, string>;
  readonly #operatorTokens: string[];

  constructor(settings: CallerSettings) {
    // A copy, because a service's configuration throws when a setting that the service does not declare is read.
    this.#settings = { ...settings };
    const { CALLER_SECRET, TRUSTED_CALLERS = '' } = this.#settings;
    this.#operatorTokens = secretsIn(this.#settings.OPERATOR_TOKEN ?? '');
    this.#callerOf = new Map([
      ...callerNames(TRUSTED_CALLERS).map((name) => [name, 'internal'] as const),
      ...OWN_CALLERS.map((name) => [name, name] as const),
    ]);
    this.#tokens = new Map(
      CALLER_SECRET ? [...this.#callerOf.keys()].map((name) => [name, callerToken(CALLER_SECRET, name)]) : [],
    );
  }

  /** @throws Error when this server's settings would not let some of the admitted callers prove who they are */
  requireProofFor(rule: AccessRule): void {
    const { CALLER_SECRET, OPERATOR_TOKEN, GRPC_TLS_CA } = this.#settings;
    if (rule === 'anyone' || CALLER_SECRET || GRPC_TLS_CA) return;
    if (rule.every((caller) => caller === 'operator') && OPERATOR_TOKEN) return;
    throw new Error('CALLER_SECRET is not set (needed where mutual TLS does not name the callers)');
  }

  /** @throws ServiceError when the rule does not admit the caller */
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

/** Parses a list of names such as `news-desk, chat`. */
function callerNames(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The names in a certificate. The server has already checked it against its CA. */
function certifiedNames(certificate: PeerCertificate | undefined): string[] {
  if (!certificate?.subject) return [];
  const alternatives = certificate.subjectaltname?.split(', ') ?? [];
  const dnsNames = alternatives.flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []));
  return [certificate.subject.CN ?? [], dnsNames].flat();
}

/** Compares two secrets in a time that does not depend on where they differ. A missing secret equals nothing. */
export function sameSecret(given: string | undefined, wanted: string | undefined): boolean {
  if (!given || !wanted) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
