import { describe, expect, it } from 'vitest'
import { SOFTWARE } from '@/lib/routing/software'
import { agentOf, namesOfSoftware } from './agent'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const WEBVIEW =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/129.0.6668.81 Mobile Safari/537.36'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15'
const PHONE = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)'

describe('a person', () => {
  it.each([
    ['Chrome', 'Windows', 'desktop', WINDOWS],
    ['Edge', 'Windows', 'desktop', `${WINDOWS} Edg/131.0.2903.70`],
    ['Opera', 'Windows', 'desktop', `${WINDOWS} OPR/115.0.0.0`],
    ['Vivaldi', 'Windows', 'desktop', `${WINDOWS} Vivaldi/7.0.3495.15`],
    ['Firefox', 'Windows', 'desktop', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0'],
    ['Internet Explorer', 'Windows', 'desktop', 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko'],
    ['Safari', 'macOS', 'desktop', MAC],
    ['Firefox', 'Linux', 'desktop', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'],
    [
      'Chrome',
      'ChromeOS',
      'desktop',
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    ],
    ['Safari', 'iOS', 'mobile', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
    ['Chrome', 'iOS', 'mobile', `${IPHONE} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
    ['Firefox', 'iOS', 'mobile', `${IPHONE} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`],
    ['Google app', 'iOS', 'mobile', `${IPHONE} GSA/342.0.693598186 Mobile/15E148 Safari/604.1`],
    [
      'Safari',
      'iOS',
      'tablet',
      'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
    ],
    ['Chrome', 'Android', 'mobile', `${PHONE} Chrome/131.0.0.0 Mobile Safari/537.36`],
    ['Chrome', 'Android', 'tablet', `${PHONE} Chrome/131.0.0.0 Safari/537.36`],
    ['Samsung Internet', 'Android', 'mobile', `${PHONE} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`],
    ['Firefox', 'Android', 'mobile', 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0'],
    ['Android WebView', 'Android', 'mobile', WEBVIEW],
    [
      'Chrome',
      'Android',
      'mobile',
      'Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Mobile Safari/537.36',
    ],
    ['Instagram', 'iOS', 'mobile', `${IPHONE} Mobile/15E148 Instagram 350.0.0.0 (iPhone15,3; iOS 18_5; ko_KR; ko; scale=3.00)`],
    ['Facebook', 'iOS', 'mobile', `${IPHONE} Mobile/21F79 [FBAN/FBIOS;FBAV/470.0.0.40.105;FBDV/iPhone14,5;FBMD/iPhone]`],
    ['Facebook', 'Android', 'mobile', `${WEBVIEW} [FB_IAB/FB4A;FBAV/450.0.0.41.109;]`],
    ['Messenger', 'iOS', 'mobile', `${IPHONE} Mobile/21F79 [FBAN/MessengerForiOS;FBAV/470.0.0.40.105;]`],
    [
      'TikTok',
      'Android',
      'mobile',
      `${WEBVIEW} musical_ly_2023405030 JsSdk/1.0 NetType/WIFI Channel/googleplay BytedanceWebview/d8a21c6`,
    ],
    ['LinkedIn', 'iOS', 'mobile', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30.1234`],
    ['Pinterest', 'iOS', 'mobile', `${IPHONE} Mobile/15E148 [Pinterest/iOS]`],
    ['Snapchat', 'iOS', 'mobile', `${IPHONE} Mobile/15E148 Snapchat/13.15.0.42 (like Safari/8619.1.26.30.5, panda)`],
    ['X', 'iOS', 'mobile', `${IPHONE} Mobile/15E148 Twitter for iPhone/10.98`],
    ['LINE', 'iOS', 'mobile', `${IPHONE} Mobile/15E148 Safari Line/14.0.0/IAB`],
    ['KakaoTalk', 'iOS', 'mobile', `${IPHONE} Mobile/15E148 KAKAOTALK 10.9.5`],
    ['WeChat', 'iOS', 'mobile', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.50(0x18003237) NetType/WIFI Language/zh_CN`],
    [
      'Samsung Internet',
      'Tizen',
      'tv',
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 SamsungBrowser/3.0 TV Safari/537.36',
    ],
    [
      'Chrome',
      'Android',
      'tv',
      'Mozilla/5.0 (Linux; Android 10; BRAVIA 4K VH2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    ],
    [
      'PlayStation',
      'PlayStation',
      'other',
      'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0',
    ],
  ])('%s, %s, %s', (browser, os, device, userAgent) => {
    expect(agentOf(userAgent)).toEqual({ kind: 'person', browser, os, device, userAgent })
  })

  it('cannot name a browser that is none', () => {
    expect(agentOf('Mozilla/5.0 (X11; Linux x86_64) Evil Browser with <b>words</b>')).toMatchObject({ browser: '', os: 'Linux' })
  })
})

describe('a link preview', () => {
  it.each([
    ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Slack', 'Slack-ImgProxy (+https://api.slack.com/robots)'],
    ['X', 'Twitterbot/1.0'],
    ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['Facebook', 'Facebot'],
    [
      'iMessage',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    ],
    ['KakaoTalk', 'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984'],
    ['LINE', 'facebookexternalhit/1.1;line-poker/1.0'],
    ['LinkedIn', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)'],
    ['Discord', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
    ['Telegram', 'TelegramBot (like TwitterBot)'],
    ['WhatsApp', 'WhatsApp/2.23.20.0 A'],
    ['Skype', 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com'],
    ['Microsoft', `${WINDOWS} Edg/112.0.1722.48 MicrosoftPreview/2.0 +https://aka.ms/MicrosoftPreview`],
    ['Bluesky', 'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)'],
    ['Mastodon', 'Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.example/)'],
    ['Mastodon', 'http.rb/5.1.1 (Mastodon/4.2.10; +https://mastodon.example/)'],
    ['Misskey', 'Mozilla/5.0 (compatible; SummalyBot/5.1.0)'],
    ['Matrix', 'Synapse (bot; +https://github.com/matrix-org/synapse)'],
    ['Iframely', 'Iframely/1.3.1 (+https://iframely.com/docs/about)'],
    ['Notion', 'Iframely/1.3.1 (+https://iframely.com/docs/about) Notion'],
    ['Notion', 'NotionEmbedder'],
    ['Embedly', 'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)'],
    ['Reddit', 'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)'],
    ['Pinterest', 'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)'],
    ['VK', 'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)'],
    ['Viber', 'Mozilla/5.0 (compatible; Viber-Url-Downloader)'],
    ['Snapchat', 'Mozilla/5.0 (compatible; Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots)'],
    ['Google', 'Mozilla/5.0 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)'],
    ['Zulip', 'Mozilla/5.0 (compatible; ZulipURLPreview/9.2; +https://zulip.example)'],
    ['', 'Mozilla/5.0 (compatible; Bitrix link preview)'],
  ])('for %s is told from a bot', (browser, userAgent) => {
    expect(agentOf(userAgent)).toEqual({ kind: 'preview', browser, os: '', device: '', userAgent })
  })
})

describe('a bot', () => {
  it.each([
    ['Googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Googlebot', `${PHONE} Chrome/131.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`],
    ['bingbot', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
    ['AhrefsBot', 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)'],
    ['meta-externalagent', 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)'],
    ['GPTBot', 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'],
    ['curl', 'curl/8.5.0'],
    ['python-requests', 'python-requests/2.32.3'],
    ['Go-http-client', 'Go-http-client/2.0'],
    ['HeadlessChrome', WINDOWS.replace('Chrome/', 'HeadlessChrome/')],
    ['', ''],
    ['', ' \u0000 '],
  ])('%s', (browser, userAgent) => {
    expect(agentOf(userAgent)).toMatchObject({ kind: 'bot', browser, os: '', device: '' })
  })
})

it('forms suggest all names of systems and browsers, and no others', () => {
  const { os, browser } = namesOfSoftware()
  expect([...SOFTWARE.os].sort()).toEqual([...new Set(os)].sort())
  expect([...SOFTWARE.browser].sort()).toEqual([...new Set(browser)].sort())
})
