// By its file: its plain name is a deprecated module of node's own.
import punycode from 'punycode/punycode.js'
import { parseUrl } from '@/lib/tools/url'

/** Host names as people read them, on every page alike. Browsers convert Unicode to punycode but offer no way back. */

/**
 * `xn--mnchen-3ya.de` as `münchen.de`. A label that could pass for another one stays as it is.
 * @param host in ASCII, with or without a port
 */
export function unicodeHost(host: string): string {
  const [name = '', port] = host.split(/(?=:\d+$)/)
  const labels = name.split('.')
  const decoded = labels.map((label) => (label.startsWith('xn--') ? decodeLabel(label.slice(4)) : undefined))
  const topScript = scriptOf(decoded.at(-1))
  const shown = labels.map((label, i) => (isHonest(decoded[i], topScript) ? decoded[i] : label)).join('.') + (port ?? '')
  // Only what leads back to the very same host may stand for it.
  return parseUrl(`http://${shown}`)?.host === host ? shown : host
}

/**
 * What labels may be written in: the letters in common use, and those of them that pass for Latin letters, digits or signs. The
 * lists follow Chromium's rules for showing names (idn.md in its docs) and are narrower: a label is of one script, which Japanese
 * alone mixes.
 */
const SCRIPTS = [
  { letters: 'a-zß-öø-ÿ\u0101-\u017eșțơưǎǐǒǔǖǘǚǜəạ-ỹ', alike: 'a-zıĸŀŉạẹịọụỵ' },
  { letters: '\u0430-\u045fґғҕқңүұҳҷһәөԁӏԛԝѵѡҽ', alike: 'асԁеһіјӏорԛѕԝхуъьҽпгѵѡ' },
  { letters: '\u03ac-\u03ce', alike: 'αικνρυωηοτχγ' },
  { letters: '\u0561-\u0586', alike: 'ագզէլհյոսւօ' },
  { letters: '\u10d0-\u10f0', alike: 'იოყძხჽ' },
  { letters: '\u05d0-\u05ea', alike: 'דוחיןסש' },
  { letters: '\u0621-\u063a\u0641-\u064a\u0671-\u06d3', alike: 'اهة' },
  { letters: '\u0904-\u0939\u093c-\u094d', alike: 'ऽ' },
  { letters: '\u0e01-\u0e3a\u0e40-\u0e4e', alike: 'ทนบพรหดลปฟมเแ' },
  { letters: '\uac00-\ud7a3', alike: '' },
  { letters: '\u4e00-\u9fff々\u3041-\u3096\u30a1-\u30faー', alike: '一丨丶丿口工卜二八十ノニハエロトソンメーノ' },
].map(({ letters, alike }) => ({ whole: new RegExp(`^[${letters}0-9-]+$`), alike: new RegExp(`^[${alike}0-9-]+$`) }))

type Script = (typeof SCRIPTS)[number]

const scriptOf = (label: string | undefined): Script | undefined =>
  label === undefined ? undefined : SCRIPTS.find(({ whole }) => whole.test(label))

/**
 * Whether a label can be told from every other. Letters that pass for Latin ones do not where the top domain is of their own
 * script.
 */
function isHonest(label: string | undefined, topScript: Script | undefined): boolean {
  const script = scriptOf(label)
  if (label === undefined || script === undefined) return false
  return (script === topScript && script !== SCRIPTS[0]) || !script.alike.test(label)
}

function decodeLabel(label: string): string | undefined {
  try {
    return punycode.decode(label)
  } catch {
    return undefined
  }
}
