import { settings as gatewaySettings } from '#gateway/config.ts';
import { SERVICES, type ServiceName } from '#services/service-table.ts';
import { serviceTable, type ServiceDefinition } from '#local/service-table.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { settingOf } from '#shared/config/settings.ts';
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
  return [migration(), ...called.flatMap((definition) => manifestsOf(definition))].join('---\n');
}

function environment(settings: ContainerSetting[]): string {
  const ofSecret = (name: string, key = name) =>
    `- name: ${name}\n  valueFrom: { secretKeyRef: { name: saring, key: ${key} } }`;
  return settings
    .flatMap((setting) => {
      if ('isSecret' in setting) return [ofSecret(setting.name)];
      const { name, value, password } = setting;
      return [
        ...(password === undefined ? [] : [ofSecret(password)]),
        `- { name: ${name}, value: '${value}' }`,
      ];
    })
    .join('\n');
}

/** Indents all lines but the first, to stand in a template. */
function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

const CONTAINER_SECURITY = `securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }`;
const POD_SECURITY = '{ runAsNonRoot: true, seccompProfile: { type: RuntimeDefault } }';

function manifestsOf(definition: ServiceDefinition): string[] {
  const { service: name, entry } = definition;
  const labels = `{ app.kubernetes.io/name: ${name}, app.kubernetes.io/part-of: saring }`;
  const selector = `{ app.kubernetes.io/name: ${name} }`;
  const { cpu, memory, memoryLimit } = RESOURCES[name] ?? USUAL_RESOURCES;
  const settings: ContainerSetting[] = [
    ...containerSettings(definition, KUBERNETES),
    ...('STREAM_REPLICAS' in SERVICES[name as ServiceName].settings
      ? [{ name: 'STREAM_REPLICAS', value: '3' }]
      : []),
    { name: 'GRPC_TLS_CERT', value: `/tls/${name}.crt` },
    { name: 'GRPC_TLS_KEY', value: `/tls/${name}.key` },
  ];
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: ${labels}
spec:
  replicas: 2
  strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  selector: { matchLabels: ${selector} }
  template:
    metadata:
      labels: ${labels}
      annotations: { prometheus.io/scrape: 'true', prometheus.io/port: '9100' }
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 60
      securityContext: ${POD_SECURITY}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: { matchLabels: ${selector} }
      containers:
        - name: ${name}
          image: saring
          args: [${entry}]
          env:
            ${indented(environment(settings), 12)}
          envFrom:
            - configMapRef: { name: saring }
          ports:
            - { name: grpc, containerPort: 5000 }
            - { name: ops, containerPort: 9100 }
          startupProbe: { httpGet: { path: /livez, port: ops }, periodSeconds: 2, failureThreshold: 60 }
          livenessProbe: { httpGet: { path: /livez, port: ops }, periodSeconds: 10, timeoutSeconds: 5 }
          readinessProbe: { httpGet: { path: /readyz, port: ops }, periodSeconds: 5, timeoutSeconds: 5 }
          resources:
            requests: { cpu: ${cpu}, memory: ${memory} }
            limits: { memory: ${memoryLimit} }
          ${CONTAINER_SECURITY}
          volumeMounts:
            - { name: tls, mountPath: /tls, readOnly: true }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: tls
          projected:
            sources:
              - secret: { name: saring-ca }
              - secret: { name: saring-tls-${name} }
        - name: tmp
          emptyDir: {}
`;
  return [
    deployment,
    addressOf(name, labels, selector),
    disruptionBudget(name, selector),
    ingressOf(name, selector),
  ];
}

function addressOf(name: string, labels: string, selector: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  labels: ${labels}
spec:
  # Headless: the name resolves to every pod, and callers take turns over them.
  clusterIP: None
  selector: ${selector}
  ports:
    - { name: grpc, port: 5000 }
`;
}

function disruptionBudget(name: string, selector: string): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
spec:
  maxUnavailable: 1
  selector: { matchLabels: ${selector} }
`;
}

/** Lets in the processes that have its address, and the operator. */
function ingressOf(name: string, selector: string): string {
  const address = settingOf(name, 'ADDRESS');
  const readers = Object.entries({ gateway: { settings: gatewaySettings }, ...SERVICES });
  const callers = readers.flatMap(([caller, { settings }]) => (address in settings ? [caller] : []));
  const from = [...callers, 'operator'].map(
    (caller) => `- podSelector: { matchLabels: { app.kubernetes.io/name: ${caller} } }`,
  );
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
spec:
  podSelector: { matchLabels: ${selector} }
  policyTypes: [Ingress]
  ingress:
    - from:
        ${indented(from.join('\n'), 8)}
      ports: [{ port: 5000 }]
`;
}

function migration(): string {
  const passwords = DATABASE_SERVICES.map(
    (service) =>
      `- name: ${settingOf(service, 'PASSWORD')}
  valueFrom: { secretKeyRef: { name: saring, key: ${databasePassword(service)} } }`,
  );
  return `# Creates and updates roles and schemas of PostgreSQL. Delete the old job before an upgrade. Services of the earlier version
# keep running meanwhile.
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  labels: { app.kubernetes.io/name: migrate, app.kubernetes.io/part-of: saring }
spec:
  backoffLimit: 10
  template:
    metadata:
      labels: { app.kubernetes.io/name: migrate, app.kubernetes.io/part-of: saring }
    spec:
      restartPolicy: OnFailure
      automountServiceAccountToken: false
      securityContext: ${POD_SECURITY}
      containers:
        - name: migrate
          image: saring
          args: [deploy/postgres/migrate.ts]
          env:
            - name: POSTGRES_PASSWORD
              valueFrom: { secretKeyRef: { name: saring, key: POSTGRES_PASSWORD } }
            - { name: DATABASE_URL, value: 'postgres://postgres:$(POSTGRES_PASSWORD)@postgres/saring' }
            ${indented(passwords.join('\n'), 12)}
          resources:
            requests: { cpu: 50m, memory: 128Mi }
            limits: { memory: 256Mi }
          ${CONTAINER_SECURITY}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: tmp
          emptyDir: {}
`;
}
