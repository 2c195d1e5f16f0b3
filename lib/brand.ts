/**
 * The look, as plain strings: the app's pages and the redirect lane's own HTML pages share it, so this file
 * imports nothing. Every text colour holds 4.5:1 on `--bg` and `--surface`; `--accent-fg` on `--accent` too,
 * and `--line-strong` (the edges of controls) holds 3:1.
 */
export const themeCss = `:root{
color-scheme:light dark;
--bg:#f8f8f6;--surface:#ffffff;--raised:#ffffff;--fg:#1a1c1f;--muted:#5c6068;--line:#e3e3df;--line-strong:#868a92;
--accent:#1a4fd0;--accent-hover:#153fa8;--accent-fg:#ffffff;--accent-soft:#e9effc;
--danger:#b3261e;--danger-soft:#fcecea;--ok:#17693a;--ok-soft:#e6f4ea;--warn:#7d5200;--warn-soft:#fbf1dc;
--radius:10px;--font:var(--font-geist-sans,"Geist"),system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
--mono:var(--font-geist-mono,"Geist Mono"),ui-monospace,"SF Mono",Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){:root{
--bg:#111316;--surface:#191c20;--raised:#1f2328;--fg:#eceef1;--muted:#a2a8b2;--line:#2b2f36;--line-strong:#767c87;
--accent:#8cb0ff;--accent-hover:#a9c4ff;--accent-fg:#0c1a3a;--accent-soft:#1c2840;
--danger:#ff9b91;--danger-soft:#3a1d1b;--ok:#7fd6a0;--ok-soft:#16301f;--warn:#ecc06a;--warn-soft:#33280f}}`

/** A long line made short. Decorative: the name stands beside it. */
export const brandMark =
  '<svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true">' +
  '<rect width="24" height="24" rx="7" fill="var(--accent,#1a4fd0)"/>' +
  '<path d="M6 9h12" stroke="var(--accent-fg,#fff)" stroke-width="2.5" stroke-linecap="round" opacity=".55"/>' +
  '<path d="M6 15h5" stroke="var(--accent-fg,#fff)" stroke-width="2.5" stroke-linecap="round"/></svg>'
