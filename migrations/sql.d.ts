// The generated migrations import their SQL as text (wrangler.toml `rules`).
declare module '*.sql' {
  const text: string;
  export default text;
}
