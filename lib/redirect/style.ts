import type { Brand } from '@/lib/brand/brand'

/** The measures of the app's own header, cards, fields and buttons. */
const LAYOUT = `
*{box-sizing:border-box}body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--bg);color:var(--fg);font:16px/1.5 var(--font);-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
header,footer{width:100%;max-width:64rem;margin:0 auto;padding:0 16px}header{min-height:64px;display:flex;align-items:center}
header a{display:inline-flex;align-items:center;gap:10px;min-height:44px;color:inherit;text-decoration:none;font-size:18px;font-weight:600;letter-spacing:-.025em}header img,header svg{flex:none;max-width:50vw}
main{flex:1;display:flex;align-items:center;justify-content:center;padding:24px 16px 48px}
section{width:100%;max-width:448px;background:var(--surface);border:1px solid var(--line);border-radius:calc(var(--radius) + 4px);padding:24px}
.icon{display:block;width:44px;height:44px;padding:10px;margin:0 0 20px;border-radius:var(--radius);background:var(--accent-soft);fill:none;stroke:var(--accent);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}.bad{background:var(--danger-soft);stroke:var(--danger)}
h1{margin:0 0 8px;font-size:24px;line-height:1.25;font-weight:600;letter-spacing:-.025em;text-wrap:balance}p{margin:0 0 16px;color:var(--muted);text-wrap:pretty}p:last-child{margin:0}p strong{color:var(--fg);font-weight:500}time{display:inline-block}
.url{margin:0 0 20px;padding:12px 14px;border:1px solid var(--line);border-radius:var(--radius);background:var(--bg);font-family:var(--mono);font-size:14px}.url strong{font-weight:600}
section .since{margin:0;font-size:14px}.past{margin-top:24px;padding-top:16px;border-top:1px solid var(--line);font-size:14px}.past h2{margin:0 0 4px;font-size:14px;font-weight:500}.past ol{margin:0;padding:0;list-style:none}.past li{padding:8px 0}.past bdi{display:block;font-family:var(--mono);font-size:13px}.past bdi strong{font-weight:600}.past span{display:block;color:var(--muted);font-size:13px}.past summary{line-height:44px;color:var(--muted);cursor:pointer}
label{display:block;margin:20px 0 6px;font-size:14px;font-weight:500}input{width:100%;height:44px;padding:0 14px;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line-strong);border-radius:var(--radius)}input[aria-invalid]{border-color:var(--danger)}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:44px;margin-top:24px;padding:9px 16px;font:inherit;font-size:15px;font-weight:500;text-align:center;text-decoration:none;color:var(--brand-fg);background:var(--brand);border:1px solid transparent;border-radius:var(--radius);cursor:pointer}.button:hover{background:var(--brand-hover)}form .button{margin-top:16px}
.plain{color:var(--fg);background:var(--surface);border-color:var(--line-strong)}.plain:hover{background:var(--bg)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
section .report{margin:20px 0 0;font-size:14px}.report a{color:var(--accent);white-space:nowrap}.error{margin:6px 0 0;color:var(--danger);font-size:14px}
footer{display:flex;flex-wrap:wrap;gap:0 20px;padding-bottom:20px;font-size:13px}footer p{margin:0;line-height:32px;color:var(--muted)}footer a{display:inline-block;line-height:32px;margin-right:20px;color:var(--muted);text-underline-offset:2px}footer a:hover{color:var(--fg)}
@media (min-width:640px){header,footer{padding-left:24px;padding-right:24px}section{padding:32px}main{padding-bottom:96px}}@media (max-width:479px){main{align-items:flex-start}}`

/** Without the colors that these pages do not use: every visitor loads the rest. */
export const styleOf = ({ css }: Pick<Brand, 'css'>) =>
  css.replace(/--([a-z-]+):[^;}]*;?\n?/g, (said, name: string) => (LAYOUT.includes(`var(--${name})`) ? said : '')) + LAYOUT
