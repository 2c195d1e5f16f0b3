/**
 * What statistics call people’s systems and browsers, for forms to suggest. Rules take other names too: those of bots and of apps
 * with link previews, and what the next release will know.
 */
export const SOFTWARE: Readonly<Record<'os' | 'browser', readonly string[]>> = {
  os: [
    ...[
      'Android',
      'Bada',
      'BlackBerry',
      'ChromeOS',
      'HarmonyOS',
      'iOS',
      'KaiOS',
      'Linux',
      'macOS',
      'PlayStation',
      'Roku',
      'Tizen',
    ],
    ...['webOS', 'Windows', 'Windows Phone', 'Xbox'],
  ],
  browser: [
    ...['Amazon Silk', 'Android Browser', 'Android WebView', 'Bada', 'BlackBerry', 'Brave', 'Chrome', 'Chromium', 'Discord'],
    ...['DuckDuckGo', 'Edge', 'Electron', 'Epiphany', 'Facebook', 'Firefox', 'Firefox Focus', 'Google app'],
    ...['HeyTap Browser', 'Instagram', 'Internet Explorer', 'K-Meleon', 'KakaoTalk', 'Ladybird', 'LibreWolf', 'LINE'],
    ...['LinkedIn', 'Maxthon', 'Messenger', 'Meta Quest Browser', 'Mi Browser', 'MZ Browser', 'NAVER', 'Opera', 'Pale Moon'],
    ...['Pinterest', 'PlayStation', 'Puffin', 'QQ Browser', 'QQ Browser Lite', 'QupZilla', 'Reddit', 'Roku', 'Safari'],
    ...['Sailfish', 'Samsung Internet', 'SeaMonkey', 'Slack', 'Sleipnir', 'Snapchat', 'Sogou Browser', 'Swing', 'Teams'],
    ...['Telegram', 'Threads', 'TikTok', 'Tizen', 'UC Browser', 'Viber', 'Vivaldi', 'Vivo Browser', 'WebOS Browser'],
    ...['WeChat', 'Whale', 'WhatsApp', 'X', 'Yandex Browser'],
  ],
}

/** Those of some names that statistics do not know, in whatever letter case. */
export function unknownOf(of: 'os' | 'browser', names: readonly string[]): string[] {
  const known = new Set(SOFTWARE[of].map((name) => name.toLowerCase()))
  return names.filter((name) => !known.has(name.toLowerCase()))
}
