import type { Share } from './schemas'

/**
 * The names of networks, search engines, apps and mailboxes, with the hosts and Android packages that referrers of them have.
 * Applied when clicks are read, so that a line added here merges old clicks too. `example.com` stands for all hosts below it as
 * well, `example.*` for the same under the endings of countries; the longest that fits decides.
 */
const SOURCES: Record<string, string> = {
  Google:
    'google.* google.cat googleusercontent.com com.google.android.googlequicksearchbox com.android.chrome com.google.android.apps.searchlite',
  'Google News': 'news.google.com com.google.android.apps.magazines',
  'Google Docs': 'docs.google.com',
  'Google Chat': 'chat.google.com com.google.android.apps.dynamite',
  'Google Classroom': 'classroom.google.com com.google.android.apps.classroom',
  'Google Messages': 'messages.google.com com.google.android.apps.messaging',
  Gmail: 'mail.google.com com.google.android.gm',
  Gemini: 'gemini.google.com com.google.android.apps.bard',
  YouTube: 'youtube.com youtu.be com.google.android.youtube',
  Bing: 'bing.com com.microsoft.bing',
  Yahoo: 'yahoo.* com.yahoo.mobile.client.android.search',
  'Yahoo Mail': 'mail.yahoo.com com.yahoo.mobile.client.android.mail',
  DuckDuckGo: 'duckduckgo.com com.duckduckgo.mobile.android',
  Yandex: 'yandex.* yandex.net ya.ru com.yandex.browser ru.yandex.searchplugin',
  Baidu: 'baidu.com com.baidu.searchbox',
  Sogou: 'sogou.com',
  Naver: 'naver.com com.nhn.android.search',
  Seznam: 'seznam.cz',
  Ecosia: 'ecosia.org com.ecosia.android',
  Qwant: 'qwant.com',
  Startpage: 'startpage.com',
  Brave: 'search.brave.com com.brave.browser',
  Kagi: 'kagi.com',
  ChatGPT: 'chatgpt.com chat.openai.com com.openai.chatgpt',
  Claude: 'claude.ai com.anthropic.claude',
  Perplexity: 'perplexity.ai ai.perplexity.app.android',
  Copilot: 'copilot.microsoft.com com.microsoft.copilot',
  X: 't.co x.com twitter.com com.twitter.android com.twitter.android.lite',
  Facebook: 'facebook.com fb.com fb.me fb.watch com.facebook.katana com.facebook.lite',
  Messenger: 'messenger.com m.me com.facebook.orca com.facebook.mlite',
  Instagram: 'instagram.com ig.me com.instagram.android com.instagram.lite',
  Threads: 'threads.net threads.com com.instagram.barcelona',
  WhatsApp: 'whatsapp.com wa.me com.whatsapp com.whatsapp.w4b',
  LinkedIn: 'linkedin.com lnkd.in com.linkedin.android',
  Reddit: 'reddit.com redd.it com.reddit.frontpage',
  Pinterest: 'pinterest.* pin.it com.pinterest',
  TikTok: 'tiktok.com com.zhiliaoapp.musically com.ss.android.ugc.trill',
  Snapchat: 'snapchat.com com.snapchat.android',
  Bluesky: 'bsky.app bsky.social xyz.blueskyweb.app',
  Mastodon: 'mastodon.social mastodon.online org.joinmastodon.android',
  Telegram: 't.me telegram.org telegram.me org.telegram.messenger org.telegram.messenger.web org.telegram.plus',
  Signal: 'signal.org org.thoughtcrime.securesms',
  Discord: 'discord.com discordapp.com discord.gg com.discord',
  Slack: 'slack.com slack-redir.net com.Slack',
  Teams: 'teams.microsoft.com teams.live.com teams.cdn.office.net com.microsoft.teams',
  Outlook: 'outlook.com outlook.live.com outlook.office.com outlook.office365.com com.microsoft.office.outlook',
  'Proton Mail': 'mail.proton.me ch.protonmail.android',
  Notion: 'notion.so notion.com notion.id',
  Tumblr: 'tumblr.com com.tumblr',
  Medium: 'medium.com com.medium.reader',
  Substack: 'substack.com com.substack.app',
  Quora: 'quora.com com.quora.android',
  VK: 'vk.com vk.ru com.vkontakte.android',
  Odnoklassniki: 'ok.ru ru.ok.android',
  Weibo: 'weibo.com weibo.cn com.sina.weibo',
  WeChat: 'weixin.qq.com wechat.com com.tencent.mm',
  QQ: 'qq.com com.tencent.mobileqq',
  Zhihu: 'zhihu.com com.zhihu.android',
  LINE: 'line.me jp.naver.line.android',
  KakaoTalk: 'kakao.com com.kakao.talk',
  Twitch: 'twitch.tv tv.twitch.android.app',
  GitHub: 'github.com com.github.android',
  GitLab: 'gitlab.com',
  'Stack Overflow': 'stackoverflow.com',
  'Hacker News': 'news.ycombinator.com hckrnews.com',
  Wikipedia: 'wikipedia.org org.wikipedia',
  'Product Hunt': 'producthunt.com com.producthunt.producthunt',
}

const NAMES = new Map(Object.entries(SOURCES).flatMap(([name, hosts]) => hosts.split(' ').map((host) => [host, name] as const)))

/** `google` of `www.google.co.uk`: what stands before the ending of a country, or before `.com`. */
const BEFORE_ENDING = /(?:^|\.)([^.]+)\.(?:com|(?:com?\.)?[a-z]{2})$/

/** Where a click came from, by its referrer: a name of the table above, or else the host itself; empty for none. */
export function sourceOf(host: string): string {
  for (let rest = host; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
    const name = NAMES.get(rest)
    if (name) return name
    if (!rest.includes('.')) break
  }
  return NAMES.get(`${BEFORE_ENDING.exec(host)?.[1]}.*`) ?? host
}

/** Whether it is a name that stands for several hosts. */
export const isNamed = (source: string) => Object.hasOwn(SOURCES, source)

/** Shares by source, of shares by host: the most frequent first. Visitors of one source are those of its hosts, added up. */
export function sourceShares(hosts: readonly Share[]): Share[] {
  const sources = new Map<string, Share>()
  for (const { value: host, clicks, visitors } of hosts) {
    const value = sourceOf(host)
    const share = sources.get(value) ?? { value, clicks: 0, visitors: 0 }
    sources.set(value, { value, clicks: share.clicks + clicks, visitors: share.visitors + visitors })
  }
  return [...sources.values()].sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1))
}
