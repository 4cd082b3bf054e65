import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IEnvVar } from 'kubernetes-models/v1/EnvVar';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { ISecurityContext } from 'kubernetes-models/v1/SecurityContext';
import type { IService } from 'kubernetes-models/v1/Service';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { stringify } from 'yaml';
import { settings as gatewaySettings } from '#gateway/config.ts';
import { SERVICES, type ServiceName } from '#services/service-table.ts';
import { serviceTable, type ServiceDefinition } from '#local/configuration/service-table.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { settingOf } from '#platform/configuration/settings.ts';
import { databasePassword } from '../secrets/kept-secrets.ts';
import { containerSettings, type ContainerPlace, type ContainerSetting } from './container-settings.ts';

const KUBERNETES: ContainerPlace = {
  natsServers: ['nats-0.nats', 'nats-1.nats', 'nats-2.nats'],
  reference: (secret) => `$(${secret})`,
};

/** For a service that holds little in memory. */
const USUAL_RESOURCES = { cpu: '50m', memory: '192Mi', memoryLimit: '384Mi' };
const RESOURCES: Partial<Record<string, typeof USUAL_RESOURCES>> = {
  keys: { cpu: '100m', memory: '256Mi', memoryLimit: '512Mi' },
  usage: { cpu: '100m', memory: '256Mi', memoryLimit: '512Mi' },
  models: { cpu: '250m', memory: '384Mi', memoryLimit: '1Gi' },
  'market-data': { cpu: '500m', memory: '1Gi', memoryLimit: '2Gi' },
};

/** The manifests of the migration and of every service that others call. Workers scale with the queue: model-worker.yaml. */
export function kubernetesServices(): string {
  const called = serviceTable({ workers: 0 }).filter(({ serves }) => serves === 'grpc');
  const ofServices = called.flatMap((definition) => [
    deployment(definition),
    address(definition.service),
    disruptionBudget(definition.service),
    ingress(definition.service),
  ]);
  // Without anchors, which only a program reads with ease.
  return [migration(), ...ofServices]
    .map((manifest) => stringify(manifest, { aliasDuplicateObjects: false }))
    .join('---\n');
}

const nameLabel = (name: string) => ({ 'app.kubernetes.io/name': name });
const labelsOf = (name: string) => ({ ...nameLabel(name), 'app.kubernetes.io/part-of': 'saring' });

function ofSecret(name: string, key = name): IEnvVar {
  return { name, valueFrom: { secretKeyRef: { name: 'saring', key } } };
}

/** A value that refers to a password comes after it. */
function environment(settings: ContainerSetting[]): IEnvVar[] {
  return settings.flatMap((setting) => {
    if ('isSecret' in setting) return [ofSecret(setting.name)];
    const { name, value, password } = setting;
    return [...(password === undefined ? [] : [ofSecret(password)]), { name, value }];
  });
}

const CONTAINER_SECURITY: ISecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const POD_SECURITY: Pick<IPodSpec, 'automountServiceAccountToken' | 'securityContext'> = {
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
};

function deployment(definition: ServiceDefinition): IDeployment {
  const { service: name } = definition;
  const labels = labelsOf(name);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 2,
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: nameLabel(name) },
      template: {
        metadata: {
          labels,
          annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9100' },
        },
        spec: {
          ...POD_SECURITY,
          terminationGracePeriodSeconds: 60,
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: nameLabel(name) },
            },
          ],
          containers: [container(definition)],
          volumes: [
            {
              name: 'tls',
              projected: {
                sources: [{ secret: { name: 'saring-ca' } }, { secret: { name: `saring-tls-${name}` } }],
              },
            },
            { name: 'tmp', emptyDir: {} },
          ],
        },
      },
    },
  };
}

function container(definition: ServiceDefinition): IContainer {
  const { service: name, entry } = definition;
  const { cpu, memory, memoryLimit } = RESOURCES[name] ?? USUAL_RESOURCES;
  const env = environment([
    ...containerSettings(definition, KUBERNETES),
    ...('STREAM_REPLICAS' in SERVICES[name as ServiceName].settings
      ? [{ name: 'STREAM_REPLICAS', value: '3' }]
      : []),
    { name: 'GRPC_TLS_CERT', value: `/tls/${name}.crt` },
    { name: 'GRPC_TLS_KEY', value: `/tls/${name}.key` },
  ]);
  const isAlive = { path: '/livez', port: 'ops' };
  return {
    name,
    image: 'saring',
    args: [entry],
    env,
    envFrom: [{ configMapRef: { name: 'saring' } }],
    ports: [
      { name: 'grpc', containerPort: 5000 },
      { name: 'ops', containerPort: 9100 },
    ],
    startupProbe: { httpGet: isAlive, periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { httpGet: isAlive, periodSeconds: 10, timeoutSeconds: 5 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'ops' }, periodSeconds: 5, timeoutSeconds: 5 },
    resources: { requests: { cpu, memory }, limits: { memory: memoryLimit } },
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [
      { name: 'tls', mountPath: '/tls', readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

/** Headless: the name resolves to every pod, and callers take turns over them. */
function address(name: string): IService {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: labelsOf(name) },
    spec: { clusterIP: 'None', selector: nameLabel(name), ports: [{ name: 'grpc', port: 5000 }] },
  };
}

function disruptionBudget(name: string): IPodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { maxUnavailable: 1, selector: { matchLabels: nameLabel(name) } },
  };
}

/** Lets in the processes that have its address, and the operator. */
function ingress(name: string): INetworkPolicy {
  const setting = settingOf(name, 'ADDRESS');
  const readers = Object.entries({ gateway: { settings: gatewaySettings }, ...SERVICES });
  const callers = readers.flatMap(([caller, { settings }]) => (setting in settings ? [caller] : []));
  const from = [...callers, 'operator'].map((caller) => ({
    podSelector: { matchLabels: nameLabel(caller) },
  }));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: {
      podSelector: { matchLabels: nameLabel(name) },
      policyTypes: ['Ingress'],
      ingress: [{ from, ports: [{ port: 5000 }] }],
    },
  };
}

/**
 * Creates and updates roles and schemas of PostgreSQL. The old job must be deleted before an upgrade. Services of the earlier version
 * keep running meanwhile.
 */
function migration(): IJob {
  const name = 'migrate';
  const passwords = DATABASE_SERVICES.map((service) =>
    ofSecret(settingOf(service, 'PASSWORD'), databasePassword(service)),
  );
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      backoffLimit: 10,
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          ...POD_SECURITY,
          restartPolicy: 'OnFailure',
          containers: [
            {
              name,
              image: 'saring',
              args: ['deploy/postgres/migrate.ts'],
              env: [
                ofSecret('POSTGRES_PASSWORD'),
                { name: 'DATABASE_URL', value: 'postgres://postgres:$(POSTGRES_PASSWORD)@postgres/saring' },
                ...passwords,
              ],
              resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
              securityContext: CONTAINER_SECURITY,
              volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
            },
          ],
          volumes: [{ name: 'tmp', emptyDir: {} }],
        },
      },
    },
  };
}
