/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    readonly TENANT: DurableObjectNamespace<import('../../durable-objects/tenant.ts').Tenant>;
    readonly WORLD: DurableObjectNamespace<import('../../durable-objects/world.ts').World>;
  }
}
