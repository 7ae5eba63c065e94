CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_digest` text NOT NULL,
	`actor` text NOT NULL,
	`roles` text NOT NULL,
	`worlds` text,
	`expires_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tenants` (
	`name` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `worlds` (
	`world` text PRIMARY KEY NOT NULL,
	`manifest_name` text NOT NULL,
	`manifest_version` text NOT NULL,
	`manifest_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
