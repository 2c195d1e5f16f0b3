import { useInBrowser } from '@/app/_ui/data/use-in-browser'

/**
 * The flag of a country as the system draws it. Windows has none, and shows two letters of uneven size instead: there the code
 * stands in a frame of a flag's size. Decorative: the name stands beside it.
 */
export function Flag({ code }: { code: string }) {
  const inBrowser = useInBrowser()
  const size = 'inline-flex h-3.5 w-5 shrink-0 items-center justify-center leading-none'
  if (!/^[A-Z]{2}$/.test(code))
    return <span aria-hidden="true" className={`${size} rounded-[3px] border border-dashed border-line-strong`} />
  return inBrowser && drawsFlags() ? (
    <span aria-hidden="true" className={`${size} text-[17px]`}>
      {flagOf(code)}
    </span>
  ) : (
    <span
      aria-hidden="true"
      data-code={code}
      className={`${size} rounded-[3px] border border-line-strong text-[9px] font-semibold text-muted before:content-[attr(data-code)]`}
    />
  )
}

const FIRST_INDICATOR = 0x1f1e6

/** Two regional indicators, of which a flag is made. */
const flagOf = (code: string) =>
  String.fromCodePoint(...[...code].map((letter) => FIRST_INDICATOR + letter.charCodeAt(0) - 'A'.charCodeAt(0)))

let draws: boolean | undefined

/** Whether the two become one: then they are hardly wider than one of them. */
function drawsFlags(): boolean {
  draws ??= measure()
  return draws
}

function measure(): boolean {
  const pen = document.createElement('canvas').getContext('2d')
  if (!pen) return false
  pen.font = '32px sans-serif'
  const [pair, one] = [pen.measureText(flagOf('DE')).width, pen.measureText(flagOf('DE').slice(0, 2)).width]
  return pair < 1.5 * one
}
