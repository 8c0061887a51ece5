// The words that conversations are made of. Every sixth is held out: no tool, name or value of the training has it.

import { readFileSync } from 'node:fs';

/** `train`: for training. `tools`: unseen tools and values. `wording`: asked for in unseen words as well. */
export type Split = 'train' | 'tools' | 'wording';

export interface Lists {
  readonly train: readonly string[];
  readonly held: readonly string[];
}

export function listOf(text: string, separator: RegExp = /\s*,\s*/): string[] {
  return text.trim().split(separator);
}

function lists(words: readonly string[]): Lists {
  return { train: words.filter((_, at) => at % 6 !== 5), held: words.filter((_, at) => at % 6 === 5) };
}

export function wordsFor({ train, held }: Lists, split: Split): readonly string[] {
  return split === 'train' ? train : held;
}

const listed = (text: string): Lists => lists(listOf(text));
const fromFile = (name: string): Lists =>
  lists(
    readFileSync(new URL(`../words/${name}`, import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  );

/** Common English words and Chinese characters. */
export const ENGLISH = fromFile('english.txt');
export const CHARACTERS = fromFile('characters.txt');

export const CITIES = listed(
  'Oslo, Lima, Paris, Berlin, Tokyo, Rome, Madrid, London, Vienna, Prague, Cairo, Dublin, Athens, Sydney, Boston, Denver, Austin, Chicago, Toronto, Montreal, Beijing, Shanghai, Shenzhen, Seoul, Osaka, Mumbai, Delhi, Bangkok, Hanoi, Jakarta, Manila, Nairobi, Lagos, Accra, Tunis, Ankara, Istanbul, Moscow, Kyiv, Warsaw, Krakow, Budapest, Zagreb, Sofia, Bucharest, Lisbon, Porto, Geneva, Zurich, Basel, Milan, Naples, Turin, Munich, Hamburg, Cologne, Leipzig, Stuttgart, Bremen, Bergen, Malmo, Helsinki, Tampere, Riga, Vilnius, Tallinn, Quito, Bogota, Santiago, Havana, Buenos Aires, New York, San Francisco, Los Angeles, Rio de Janeiro, Hong Kong, Cape Town, Mexico City, Tel Aviv, Sao Paulo, Singapore, Dubai, Brussels, Amsterdam, Copenhagen, Stockholm, Barcelona, Seattle, Portland, Houston, Miami, Atlanta, Vancouver, Melbourne, Auckland, Kyoto, Taipei, Lyon, Nice, Ghent, Florence, Venice, Salzburg, Dresden, Nuremberg, Glasgow, Leeds, Bristol, Oxford, Cambridge',
);
export const CITIES_ZH = listed(
  '北京, 上海, 广州, 深圳, 杭州, 南京, 成都, 重庆, 武汉, 西安, 天津, 苏州, 长沙, 青岛, 厦门, 大连, 沈阳, 哈尔滨, 昆明, 贵阳, 南宁, 福州, 合肥, 济南, 郑州, 太原, 兰州, 银川, 西宁, 拉萨, 海口, 三亚, 香港, 澳门, 台北, 东京, 大阪, 首尔, 曼谷, 新加坡, 伦敦, 巴黎, 柏林, 罗马, 马德里, 纽约, 洛杉矶, 旧金山, 芝加哥, 波士顿, 悉尼, 墨尔本, 开罗, 莫斯科, 奥斯陆, 维也纳, 布拉格, 都柏林',
);
export const PEOPLE = listed(
  'Anna, Ben, Clara, David, Emma, Felix, Greta, Henry, Ida, Jonas, Klara, Liam, Mia, Noah, Olga, Paul, Quentin, Rosa, Sam, Tina, Ulrich, Vera, Will, Xenia, Yusuf, Zoe, Maria, Peter, Lena, Marco, Chen, Wei, Priya, Ahmed, Fatima, Carlos, Sofia, Ivan, Nadia, Tom, Alice, Bob, Carol, Dan, Erin, Frank, Grace, Hugo, Ines, Jack, Kate, Leo, Nina, Oscar, Pia, Ruth, Simon, Theo, Uma, Victor',
);
export const PEOPLE_ZH = listed(
  '张伟, 王芳, 李娜, 刘洋, 陈静, 杨帆, 赵敏, 黄磊, 周杰, 吴军, 徐丽, 孙强, 马超, 朱红, 胡明, 郭涛, 何平, 高峰, 林霞, 罗兰, 小明, 小红, 老王, 李经理, 张老师, 妈妈, 爸爸, 王总, 陈医生, 小李',
);
export const THINGS = listed(
  'apple, river, stone, cloud, garden, winter, summer, market, silver, copper, forest, bridge, castle, dragon, engine, falcon, guitar, harbor, island, jungle, kitchen, ladder, mirror, needle, orange, pencil, quartz, rocket, saddle, temple, umbrella, valley, window, yellow, zebra, anchor, basket, candle, desert, eagle, feather, glacier, hammer, ivory, jacket, kernel, lantern, magnet, nectar, ocean, planet, quilt, ribbon, shadow, thunder, velvet, walnut, blue, green, red, black, white, small, large, old, new, quick, quiet, bright, dark, warm, cold, fresh, final, first, last, open, secret, simple, modern, report, plan, draft, budget, review, meeting, lunch, dinner, coffee, tea, bread, cheese, pasta, salad, running, shoes, phone, laptop, chair, table, lamp, music, jazz, rock, piano, travel, guide, history, science, energy, solar, wind, power, price, team, project, alpha, beta, gamma, delta, release, party, birthday, wedding, school, doctor, dentist, garage, office, home, train, ticket, hotel, beach, mountain, lake, pizza, sushi, ramen, tacos, robots, neural networks, electric cars, climate change, space travel, black holes, healthy recipes, cheap flights, machine learning, world history, chess openings, garden tools, open source, board games, winter tires',
);
export const THINGS_ZH = listed(
  '报告, 计划, 预算, 会议, 午餐, 晚餐, 咖啡, 茶, 面包, 奶酪, 沙拉, 跑步鞋, 手机, 笔记本电脑, 椅子, 桌子, 台灯, 音乐, 爵士乐, 钢琴, 旅行, 历史, 科学, 能源, 太阳能, 项目, 发布, 生日, 婚礼, 学校, 医生, 牙医, 办公室, 火车, 车票, 酒店, 海滩, 山, 湖, 披萨, 寿司, 机器人, 人工智能, 电动汽车, 气候变化, 黑洞, 健康食谱, 便宜机票, 机器学习, 世界历史, 开源软件, 桌游, 大语言模型, 量子计算',
);

/** Nouns of tools, English and Chinese. */
const NOUN_PAIRS = listOf(
  'weather=天气, forecast=天气预报, temperature=温度, stock price=股价, exchange rate=汇率, invoice=发票, order=订单, ticket=工单, flight=航班, hotel room=酒店房间, table=餐桌, train=火车, bus=公交车, parking spot=停车位, appointment=预约, meeting=会议, event=活动, reminder=提醒, note=笔记, task=任务, file=文件, folder=文件夹, document=文档, photo=照片, video=视频, song=歌曲, playlist=歌单, podcast=播客, email=邮件, message=消息, contact=联系人, customer=客户, employee=员工, user=用户, account=账户, password=密码, subscription=订阅, payment=付款, refund=退款, coupon=优惠券, product=产品, price=价格, shipment=货物, parcel=包裹, address=地址, route=路线, map=地图, location=位置, distance=距离, traffic=路况, news=新闻, article=文章, book=书, recipe=菜谱, meal=餐食, calories=热量, workout=锻炼, heart rate=心率, light=灯, thermostat=恒温器, door=门, alarm=闹钟, timer=计时器, vacuum=吸尘器, camera=摄像头, sensor=传感器, printer=打印机, server=服务器, container=容器, database=数据库, query=查询, log=日志, metric=指标, deployment=部署, branch=分支, commit=提交, issue=问题, pull request=合并请求, build=构建, test run=测试, report=报告, chart=图表, survey=问卷, poll=投票, review=评论, comment=留言, post=帖子, profile=资料, group=群组, channel=频道, call=通话, contract=合同, loan=贷款, tax=税, salary=工资, budget=预算, expense=支出, transaction=交易, wallet=钱包, coin=硬币, warehouse=仓库, stock=库存, supplier=供应商, delivery=配送, taxi=出租车, bike=自行车, car=汽车, charger=充电器, battery=电池, garden=花园, plant=植物, pet=宠物, prescription=处方, lab result=化验结果, course=课程, lesson=课时, quiz=测验, grade=成绩, teacher=老师, library=图书馆, museum=博物馆, concert=音乐会, movie=电影, game=游戏, score=比分, match=比赛, player=球员, translation=翻译, dictionary=词典, definition=定义, synonym=同义词, word count=字数, checksum=校验和, backup=备份, snapshot=快照, certificate=证书, domain=域名, cache=缓存, queue=队列, job=作业, webhook=回调, token=令牌, policy=策略, role=角色, permission=权限, sunrise=日出, tide=潮汐, air quality=空气质量, pollen=花粉, earthquake=地震, satellite=卫星, planet=行星, moon phase=月相, calendar=日历, schedule=日程, shift=班次, vacation=假期, visa=签证, passport=护照, luggage=行李, seat=座位, menu=菜单, restaurant=餐厅, wine=葡萄酒, pizza=披萨, cake=蛋糕',
).map((pair) => pair.split('=') as [string, string]);

const PAIRS_TRAIN = NOUN_PAIRS.filter((_, at) => at % 6 !== 5);
const PAIRS_HELD = NOUN_PAIRS.filter((_, at) => at % 6 === 5);

export function nounPairs(split: Split): readonly [string, string][] {
  return split === 'train' ? PAIRS_TRAIN : PAIRS_HELD;
}

/** Words without a meaning of their own, put around requests in training so that the model does not lean on them. */
export const FILLERS = listOf(
  'the, a, of, to, and, in, for, with, on, as, at, by, from, is, be, it, its, that, this, my, your, our, please, now, then, so, ok, well, just, use, using, have, has, make, made, take, let, do, want, would, like, could, should, will, may, must, need, some, any, all, only, also, same, such, about, over, near, under, into, after, before, until, while, during, per, via, than, more, less, most, each, both, here, there, again, right, away, quickly, soon, kind, favour, thing, job, work, value, set, given, put, go, come, see, look, think, know, say, ask, try, keep, being, having, going, taken, called, known, marked, limited, placed, written, meant, aimed, based, equal, exactly, roughly, simply, really, kindly, dear, friend, boss, hello, listen, quick, urgent, actually, maybe, perhaps, afterwards, anyway, honestly, wondering, guess, seems, bit, little, lot',
);
export const FILLERS_ZH = listOf(
  '请, 麻烦, 帮忙, 现在, 马上, 然后, 一下, 的话, 我想, 我要, 我们, 可以, 能不能, 需要, 就, 再, 还有, 那个, 这个, 大概, 应该, 其实, 另外, 顺便, 谢谢, 好的, 嗯, 对了, 老板, 朋友, 快点, 今天下午, 尽快',
);
export const NUMBER_WORDS = listOf(
  'one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve',
);
export const NUMBER_WORDS_ZH = listOf('一, 两, 三, 四, 五, 六, 七, 八, 九, 十');
