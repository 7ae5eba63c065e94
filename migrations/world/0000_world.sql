CREATE TABLE `birth` (
	`one` integer PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`world` text NOT NULL,
	`birth_id` text NOT NULL,
	`manifest` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `cells` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`integration` text NOT NULL,
	`delivery_id` text NOT NULL,
	`at` integer NOT NULL,
	`transition` integer NOT NULL,
	PRIMARY KEY(`integration`, `delivery_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deliveries_by_age` ON `deliveries` (`at`);--> statement-breakpoint
CREATE TABLE `evidence_bodies` (
	`digest` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`integration` text NOT NULL,
	`salt` text NOT NULL,
	`body` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `evidence_by_age` ON `evidence_bodies` (`created_at`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`actor` text NOT NULL,
	`key` text NOT NULL,
	`body_digest` text NOT NULL,
	`attempt` text NOT NULL,
	`created_at` integer NOT NULL,
	`response` text,
	PRIMARY KEY(`actor`, `key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_by_age` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `intents` (
	`attempt` text PRIMARY KEY NOT NULL,
	`correlation_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`intent` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `objects` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`revision` integer NOT NULL,
	`state` text NOT NULL,
	`owner` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_in` integer NOT NULL,
	`changed_in` integer NOT NULL,
	`counters` text NOT NULL,
	`mark` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `objects_by_mark` ON `objects` (`mark`,`changed_in`,`id`) WHERE mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `objects_by_change` ON `objects` (`changed_in`,`id`);--> statement-breakpoint
CREATE TABLE `refused_deliveries` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`integration` text NOT NULL,
	`at` integer NOT NULL,
	`code` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `relations` (
	`to_id` text NOT NULL,
	`type` text NOT NULL,
	`field` text NOT NULL,
	`from_id` text NOT NULL,
	PRIMARY KEY(`to_id`, `type`, `field`, `from_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `secrets` (
	`ref` text PRIMARY KEY NOT NULL,
	`envelope` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `timers` (
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`kind`, `ref`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `timers_by_time` ON `timers` (`at`);--> statement-breakpoint
CREATE TABLE `transitions` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`actor` text NOT NULL,
	`hash` text NOT NULL,
	`record` text NOT NULL
) STRICT;
