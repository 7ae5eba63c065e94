/** A document as text: the bundler of every runtime gives it. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** What the bundler was started with (`VITE_…`), in every runtime. */
  readonly env: { readonly [name: string]: string | undefined };
}
