import Bowser from 'bowser'
import { isbot, isbotMatch } from 'isbot'
import type { ClickFacts } from '../click'
import { previewName } from './previews'
import { cut, tidy, WIDTH } from './text'

export type Agent = Pick<ClickFacts, 'kind' | 'browser' | 'os' | 'device' | 'userAgent'>

/** Apps, and devices, that open links in a browser of their own, by what they add to its user agent. */
const IN_APP: readonly [pattern: RegExp, name: string][] = [
  [/\bInstagram[ /]\d/, 'Instagram'],
  [/\bBarcelona \d/, 'Threads'],
  [/FBAN\/Messenger|FB_IAB\/(?:Orca|MESSENGER)/i, 'Messenger'],
  [/\bFB(?:AN|AV|_IAB)\//, 'Facebook'],
  [/musical_ly|\btrill_\d|BytedanceWebview|\bTikTok\b/i, 'TikTok'],
  [/\bSnapchat[ /]\d/i, 'Snapchat'],
  [/\[?LinkedInApp\b/, 'LinkedIn'],
  [/\[Pinterest\//, 'Pinterest'],
  [/\bTwitter for (?:iPhone|iPad|Android)|\bTwitterAndroid\b/, 'X'],
  [/\bWAiOS\/|\bWhatsApp\//, 'WhatsApp'],
  [/\bTelegram-Android\//, 'Telegram'],
  [/\bLine\/\d/, 'LINE'],
  [/\bKAKAOTALK\b/i, 'KakaoTalk'],
  [/\bNAVER\(inapp/, 'NAVER'],
  [/\bViber\b/, 'Viber'],
  [/\bReddit\/(?:Version|\d)/, 'Reddit'],
  [/\bSlack_SSB\/|\bSlack\/\d/, 'Slack'],
  [/\bdiscord\/\d/i, 'Discord'],
  [/\bTeams\/\d/, 'Teams'],
  [/\bMicroMessenger\//i, 'WeChat'],
  [/\bOculusBrowser\//, 'Meta Quest Browser'],
  [/\bPlayStation\b/, 'PlayStation'],
]

/** Bowser's names that are longer or other than people's; false for what is no browser. */
const RENAMED: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  'NAVER Whale Browser': 'Whale',
  'Google Search': 'Google app',
  Focus: 'Firefox Focus',
  'Opera Touch': 'Opera',
  'Opera Coast': 'Opera',
  Miui: 'Mi Browser',
  'PlayStation 4': 'PlayStation',
  'Chrome OS': 'ChromeOS',
  WebOS: 'webOS',
}

/** An app that does not say which. */
const WEBVIEW = 'Android WebView'

/** Without these, anyone who sends `Foo/1.0` adds a browser to the list. */
const BROWSERS = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.keys(RENAMED)])
BROWSERS.delete('Generic')

/** What people's browsers and systems are called. */
export const namesOfSoftware = () => ({
  browser: [
    ...[...BROWSERS].filter((name) => !NO_BROWSER.test(name)).map((name) => RENAMED[name] ?? name),
    ...IN_APP.map(([, name]) => name),
    WEBVIEW,
  ],
  os: [...Object.values(Bowser.OS_MAP).map((name) => RENAMED[name] ?? name), 'KaiOS', 'Xbox'],
})

/** What Bowser and the table above have besides: bots and systems. */
const NO_BROWSER = /(?:bot|spider|crawler|-User|ExternalHit|Slurp|PhantomJS)$|^Meta-|^(?:Chrome OS|WebOS)$/i

const TELEVISION =
  /smart-?tv|\bgoogle ?tv\b|\bandroid ?tv\b|\bapple ?tv\b|\bhbbtv\b|\bnetcast\b|\bweb0s\b|\bbravia\b|\bviera\b|\bcrkey\b|\broku\b|\baft[a-z]{1,4}\d?\b|tizen.*\btv\b/i
const CONSOLE = /\bXbox\b|\bPlayStation\b|\bNintendo\b|\bOculusBrowser\b/

/**
 * Who clicked, by the User-Agent header. Names without versions; of bots and previews only their own. An iPad
 * asks for desktop pages as a Mac and is counted as one: its user agent says no more.
 */
export function agentOf(header: string): Agent {
  const userAgent = cut(tidy(header), WIDTH.userAgent)
  const preview = previewName(userAgent)
  if (preview !== null) return { kind: 'preview', browser: preview, os: '', device: '', userAgent }
  if (userAgent === '' || isbot(userAgent)) return { kind: 'bot', browser: botName(userAgent), os: '', device: '', userAgent }
  return { kind: 'person', ...browserOf(userAgent), userAgent }
}

/** The word in which isbot found what gave it away: `Googlebot` of `(compatible; Googlebot/2.1; …)`. */
function botName(userAgent: string): string {
  const match = isbotMatch(userAgent)
  if (!match) return ''
  const at = userAgent.toLowerCase().indexOf(match.toLowerCase())
  const start = userAgent.slice(0, at).search(/[\w-]*$/)
  const [name = ''] = /^[\w-]+/.exec(userAgent.slice(start).trimStart()) ?? []
  const simple = /^[a-z][\w-]+$/i.test(name) && name.length <= WIDTH.browser && !/^(?:mozilla|https?|www)$/i.test(name)
  return simple ? name : ''
}

function browserOf(userAgent: string): Pick<Agent, 'browser' | 'os' | 'device'> {
  const parser = parse(userAgent)
  const os = osOf(userAgent, parser?.getOSName() ?? '')
  return {
    browser: cut(browserName(userAgent, parser?.getBrowserName() ?? ''), WIDTH.browser),
    os: cut(os, WIDTH.os),
    device: deviceOf(userAgent, os, parser?.getPlatformType() ?? ''),
  }
}

function parse(userAgent: string) {
  try {
    return Bowser.getParser(userAgent)
  } catch {
    return null
  }
}

function browserName(userAgent: string, found: string): string {
  const app = IN_APP.find(([pattern]) => pattern.test(userAgent))
  if (app) return app[1]
  if (!BROWSERS.has(found)) return ''
  if (found === 'Chrome' && /; wv\)/.test(userAgent)) return WEBVIEW
  return RENAMED[found] ?? found
}

function osOf(userAgent: string, found: string): string {
  if (/\bKAIOS\b/i.test(userAgent)) return 'KaiOS'
  if (/\bXbox\b/.test(userAgent)) return 'Xbox'
  if (/\bPlayStation\b/.test(userAgent)) return 'PlayStation'
  return RENAMED[found] ?? found
}

function deviceOf(userAgent: string, os: string, found: string): string {
  if (CONSOLE.test(userAgent)) return 'other'
  if (TELEVISION.test(userAgent)) return 'tv'
  if (found === 'desktop' || found === 'mobile' || found === 'tablet' || found === 'tv') return found
  if (os === 'ChromeOS') return 'desktop'
  return os === '' ? '' : 'other'
}
