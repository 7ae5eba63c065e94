// The OpenAPI document, made from the schemas that validate. Schemas with an id become components, so that each stands there once.
import type { App } from './app.ts';

/** The contract of an app as OpenAPI 3.1. */
export function openApiDocument(app: App): object {
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'A key `cwr_…`, the root key, or a JWT where the deployment accepts one.',
  });
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Compiled World Runtime',
      version: '1',
      description: 'The status of an answer speaks of the request; the outcome in it speaks of the world. A refused proposal is a successful request.',
    },
  });
}
