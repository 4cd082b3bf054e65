import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { REPOSITORY } from './repository.ts';

type Environment = Record<string, string>;

/** The parts of a manifest that tests read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Environment;
  spec?: {
    template?: {
      metadata?: { labels?: Environment };
      spec: { containers: Container[]; volumes?: Volume[]; terminationGracePeriodSeconds?: number };
    };
    replicas?: number;
    scaleTargetRef?: { name: string };
    publishNotReadyAddresses?: boolean;
    selector?: Environment;
    ports?: { name: string }[];
    ingress?: { from?: unknown[]; ports?: { port: number }[] }[];
    rules?: { http: { paths: { backend: { service: unknown } }[] } }[];
  };
}
interface Volume {
  projected?: { sources: { secret: { name: string } }[] };
}
interface Container {
  name: string;
  args: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }[];
}

/** The manifests of `deploy/kubernetes`, each with its file. */
export async function kubernetesManifests(): Promise<{ file: string; manifest: Manifest }[]> {
  const folder = path.join(REPOSITORY, 'deploy/kubernetes');
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.flatMap((entry) =>
    entry.isFile() && entry.name !== 'kustomization.yaml' ? [entry.name] : [],
  );
  const all = await Promise.all(
    files.map(async (file) => {
      const documents = parseAllDocuments(await readFile(path.join(folder, file), 'utf8'));
      return documents.map((document) => ({ file, manifest: document.toJS() as Manifest }));
    }),
  );
  return all.flat();
}

/** Throws unless a manifest conforms to the schemas of Kubernetes. */
export async function validateManifest(manifest: Manifest): Promise<void> {
  const { apiVersion, kind } = manifest;
  const module = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Record<
    string,
    new (data: unknown) => { validate(): void }
  >;
  new module[kind]!(manifest).validate();
}
