import { hash, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { serviceTable } from '#local/configuration/service-table.ts';
import { findOnPath } from '#local/processes/find-on-path.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { findFleet } from '#cli/fleet/fleet-access.ts';
import { loadConfig, type Settings } from '#platform/configuration/config.ts';
import { settingOf } from '#platform/configuration/settings.ts';
import { REPOSITORY } from '#support/repository.ts';
import { kubernetesManifests, validateManifest } from '#support/kubernetes-manifests.ts';
import { needing } from '#support/needing.ts';
import { SETTINGS, writtenFiles } from '#manifests/generate-manifests.ts';
import { ensureCa, makeCertificate } from '#tls/certificates.ts';
import { PROCESSES } from '#tls/processes.ts';

const SECRET = 'a-secret-that-is-long-enough';
const madeUp = (name: string) => (name.endsWith('_SHA256') ? hash('sha256', SECRET) : SECRET);
const ROLE_PASSWORDS = DATABASE_SERVICES.map((service) => settingOf(service, 'PASSWORD'));
type Process = keyof typeof SETTINGS;
type Environment = Record<string, string>;

/** Kubernetes inserts passwords into the URLs of other variables; they are not settings of Saring. */
const isPassword = (name: string) => name.endsWith('_PASSWORD');

/** Throws unless the process would start with these settings. Returns the names that it does not know. */
function unknownSettings(service: Process, env: Environment): string[] {
  const settings = SETTINGS[service] as Settings;
  loadConfig(settings, env);
  return Object.keys(env).filter((name) => !(name in settings) && !isPassword(name));
}

/**
 * Fails unless a process has longer to stop than by default, so that its worker can finish a run, and has stopped before it is
 * killed.
 */
function expectTimeToStop(withinSeconds: string | undefined, killedAfterSeconds: string | number): void {
  const { STOP_WITHIN_SECONDS } = SETTINGS['model-worker'];
  const usual = loadConfig({ STOP_WITHIN_SECONDS }, {}).STOP_WITHIN_SECONDS;
  expect(Number(withinSeconds)).toBeGreaterThan(usual);
  expect(Number(killedAfterSeconds)).toBeGreaterThan(Number(withinSeconds));
}

const kubernetes = await kubernetesManifests();
const config = kubernetes.find(({ manifest }) => manifest.kind === 'ConfigMap')!.manifest.data!;

describe('Kubernetes', () => {
  /** Without the kinds of KEDA, which these schemas lack. */
  const ofKubernetes = kubernetes.filter(({ manifest }) => !manifest.apiVersion.startsWith('keda.sh/'));

  test.each(
    ofKubernetes.map(({ file, manifest }) => [`${manifest.kind} ${manifest.metadata.name}`, file, manifest]),
  )('%s of %s conforms to the Kubernetes schemas', async (_name, _file, manifest) => {
    await expect(validateManifest(manifest)).resolves.toBeUndefined();
  });

  const allDeployments = kubernetes.filter(({ manifest }) => manifest.kind === 'Deployment');
  const deployments = allDeployments.filter(({ manifest }) => manifest.metadata.name !== 'operator');
  const operator = allDeployments.find(({ manifest }) => manifest.metadata.name === 'operator')!.manifest;

  test('every process has a deployment', () => {
    const names = deployments.map(({ manifest }) => manifest.metadata.name);
    expect(names.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
  });

  test.each(deployments.map(({ manifest }) => [manifest.metadata.name as Process, manifest] as const))(
    '%s gets every setting it needs and none it does not know',
    (service, manifest) => {
      const [container] = manifest.spec!.template!.spec.containers;
      const given = container!.env.map(({ name, value }) => [name, value ?? SECRET]);
      const unknown = unknownSettings(service, { ...config, ...(Object.fromEntries(given) as Environment) });
      // The gateway does not serve gRPC.
      expect(unknown).toEqual(service === 'gateway' ? ['GRPC_HOST', 'GRPC_PORT'] : []);
    },
  );

  test('every process has time to stop', () => {
    for (const { manifest } of deployments)
      expectTimeToStop(
        config['STOP_WITHIN_SECONDS'],
        manifest.spec!.template!.spec.terminationGracePeriodSeconds!,
      );
  });

  test('every process that others call has its own network policy', () => {
    const policies = kubernetes
      .filter(({ manifest }) => manifest.kind === 'NetworkPolicy')
      .map(({ manifest }) => manifest.metadata.name);
    // No process calls a worker.
    const reached = Object.keys(SETTINGS).filter((name) => name !== 'model-worker');
    expect(policies.toSorted()).toEqual(['monitoring', 'no-one', ...reached].toSorted());
  });

  test('the migration has the passwords of all services with a schema', () => {
    const migrate = kubernetes.find(({ manifest }) => manifest.kind === 'Job')!.manifest;
    const names = migrate.spec!.template!.spec.containers[0]!.env.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(ROLE_PASSWORDS));
  });

  test('all gateways share one rate limit per key through Redis', () => {
    const gateway = deployments.find(({ manifest }) => manifest.metadata.name === 'gateway')!.manifest;
    const names = gateway.spec!.template!.spec.containers[0]!.env.map(({ name }) => name);
    expect(names).toContain('RATE_LIMIT_REDIS_URL');
  });

  test('what an autoscaler scales names no number of replicas, which each apply would restore', () => {
    const scaled = kubernetes.flatMap(({ manifest }) => manifest.spec?.scaleTargetRef?.name ?? []);
    expect(scaled.toSorted()).toEqual(['gateway', 'model-worker']);
    const fixed = deployments.filter(({ manifest }) => manifest.spec!.replicas !== undefined);
    expect(
      fixed.map(({ manifest }) => manifest.metadata.name).filter((name) => scaled.includes(name)),
    ).toEqual([]);
  });

  test('the operator reaches market-data before it is ready: the first dataset makes it so', () => {
    const ready = kubernetes.filter(({ manifest }) => manifest.spec?.publishNotReadyAddresses);
    expect(ready.map(({ manifest }) => [manifest.kind, manifest.metadata.name])).toEqual([
      ['Service', 'market-data-operator'],
    ]);
  });

  test('the pod of the operator has all that the command line needs, and every service lets it in', () => {
    const { metadata, spec } = operator.spec!.template!;
    const variables = spec.containers[0]!.env.map(({ name, value }) => [name, value ?? SECRET] as const);
    const given = Object.fromEntries(variables);
    const { addresses } = findFleet(given, '/');
    for (const address of Object.values(addresses)) {
      const ofName = (kind: string, name: string) =>
        kubernetes.find(({ manifest }) => manifest.kind === kind && manifest.metadata.name === name)!
          .manifest;
      const { selector } = ofName('Service', address.replace(':5000', '')).spec!;
      const { ingress } = ofName('NetworkPolicy', selector!['app.kubernetes.io/name']!).spec!;
      const name = metadata!.labels!['app.kubernetes.io/name'];
      const itself = { podSelector: { matchLabels: { 'app.kubernetes.io/name': name } } };
      expect(ingress![0]!.from, address).toContainEqual(itself);
    }
    const mounted = spec.volumes!.flatMap(({ projected }) => projected?.sources ?? []);
    expect(mounted.map(({ secret }) => secret.name)).toEqual(['saring-ca', 'saring-tls-operator']);
    expect([given['GRPC_TLS_CERT'], given['GRPC_TLS_KEY']]).toEqual([
      '/tls/operator.crt',
      '/tls/operator.key',
    ]);
  });

  test(
    'a certificate is valid for every Service of its process',
    needing('openssl', findOnPath('openssl') !== undefined),
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'saring-names-'));
      try {
        ensureCa(folder, 1);
        for (const { manifest } of kubernetes.filter(({ manifest: { kind } }) => kind === 'Service')) {
          const name = manifest.spec!.selector!['app.kubernetes.io/name']!;
          makeCertificate(folder, name, [], 1);
          const certificate = new X509Certificate(await readFile(path.join(folder, `${name}.crt`)));
          expect(certificate.checkHost(manifest.metadata.name), manifest.metadata.name).toBeDefined();
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  test('no kustomization lies in a folder that it builds on, which kustomize refuses as a cycle', async () => {
    const deploy = path.join(REPOSITORY, 'deploy');
    const files = (await readdir(deploy, { recursive: true })).filter(
      (file) => path.basename(file) === 'kustomization.yaml',
    );
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const folder = path.dirname(path.join(deploy, file));
      const { resources } = parse(await readFile(path.join(deploy, file), 'utf8')) as { resources: string[] };
      const above = resources.filter(
        (resource) => !path.relative(path.resolve(folder, resource), folder).startsWith('..'),
      );
      expect(above, file).toEqual([]);
    }
  });

  test('the documents create every secret of certificates', async () => {
    const text = await readFile(path.join(REPOSITORY, 'docs/deployment.md'), 'utf8');
    // prepare.ts makes a folder there for every process.
    expect(text).toMatch(
      /for folder in deploy\/compose\/secrets\/tls\/\*\/; do\n.*\n +kubectl -n saring create secret generic saring-tls-\$name /,
    );
    const made = PROCESSES.map((name) => `saring-tls-${name}`);
    const sources = allDeployments.flatMap(({ manifest }) => manifest.spec!.template!.spec.volumes ?? []);
    const used = sources.flatMap(
      ({ projected }) => projected?.sources.map(({ secret }) => secret.name) ?? [],
    );
    const ofTls = [...new Set(used.filter((name) => name.startsWith('saring-tls-')))];
    expect(made.toSorted()).toEqual(ofTls.toSorted());
  });

  test('a gateway that anybody reaches trusts no proxy', () => {
    const gateway = deployments.find(({ manifest }) => manifest.metadata.name === 'gateway')!.manifest;
    const { env } = gateway.spec!.template!.spec.containers[0]!;
    expect(env.find(({ name }) => name === 'TRUSTED_PROXIES')!.value).toBe('0');
  });

  test('kustomization.yaml lists every file', async () => {
    const file = path.join(REPOSITORY, 'deploy/kubernetes/kustomization.yaml');
    const { resources } = parse(await readFile(file, 'utf8')) as { resources: string[] };
    expect(resources.toSorted()).toEqual([...new Set(kubernetes.map(({ file }) => file))].toSorted());
  });
});

describe('compose', async () => {
  const text = await readFile(path.join(REPOSITORY, 'deploy/compose/compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as {
    services: Record<
      string,
      { command?: string[]; environment?: Environment; volumes?: string[]; stop_grace_period?: string }
    >;
  };
  const processes = Object.entries(services).filter(([, { command }]) => command?.[0]?.startsWith('build/'));

  test.each(processes)('%s gets every setting it needs and none it does not know', (name, of) => {
    const service = name.replace(/-\d+$/, '') as Process;
    const given = Object.entries(of.environment!).map(([key, value]) => [
      key,
      value.replaceAll(
        /\$\{(\w+):(?:-([^}]*)|[^}]+)\}/g,
        (_, name: string, usual?: string) => usual ?? madeUp(name),
      ),
    ]);
    const unknown = unknownSettings(service, Object.fromEntries(given) as Environment);
    expect(unknown).toEqual(service === 'gateway' ? ['GRPC_HOST', 'GRPC_PORT'] : []);
  });

  test('every process has time to stop', () => {
    for (const [, { environment, stop_grace_period }] of processes)
      expectTimeToStop(environment!['STOP_WITHIN_SECONDS'], /^(\d+)s$/.exec(stop_grace_period!)![1]!);
  });

  test('every container has its own key and no other', () => {
    for (const [name, { volumes = [], environment }] of Object.entries(services)) {
      const process = name.replace(/-\d+$/, '');
      const mounted = volumes.filter((volume) => volume.includes('secrets/tls'));
      const usesTls = environment?.['GRPC_TLS_KEY'] !== undefined || name === 'proxy';
      expect(mounted, name).toEqual(usesTls ? [`./secrets/tls/${process}:/tls:ro`] : []);
    }
  });

  test('the migration has the passwords of all services with a schema', () => {
    expect(Object.keys(services['migrate']!.environment!)).toEqual(expect.arrayContaining(ROLE_PASSWORDS));
  });

  test('the operator’s gateway knows the operations port of every process', () => {
    const urls = services['gateway-1']!.environment!['OPERATIONS_URLS']!;
    const named = [...urls.matchAll(/(?:^|,)([\w-]+)=/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(processes.map(([name]) => name).toSorted());
  });

  test('every process runs: the gateway twice, the worker three times', () => {
    const names = processes.map(([name]) => name.replace(/-\d+$/, ''));
    const copies: Record<string, number> = { gateway: 2, 'model-worker': 3 };
    const wanted = Object.keys(SETTINGS).flatMap((name) => Array<string>(copies[name] ?? 1).fill(name));
    expect(names.toSorted()).toEqual(wanted.toSorted());
  });
});

test.each(await writtenFiles())('$file is what `make manifests` writes', async ({ file, content }) => {
  expect(await readFile(path.join(REPOSITORY, file), 'utf8')).toBe(content);
});

test('no two processes of a plain machine have the same port', () => {
  const offsets = serviceTable({ workers: 1 }).map(({ portOffset }) => portOffset);
  expect(new Set(offsets).size).toBe(offsets.length);
});

test('every process that systemd runs has time to stop', async () => {
  const unit = await readFile(path.join(REPOSITORY, 'deploy/systemd/saring@.service'), 'utf8');
  const [, within] = /^Environment=.*\bSTOP_WITHIN_SECONDS=(\d+)/m.exec(unit)!;
  const [, killedAfter] = /^TimeoutStopSec=(\d+)$/m.exec(unit)!;
  expectTimeToStop(within, killedAfter!);
});
