// Everyday tools and how people ask for them, in their own words. A line that begins with `!` is never in the training.
// `{slot}` is a value; `{slot#2}` that of a second call; `=> name: value` an argument that the words imply.

export interface Everyday {
  names: string;
  en: string;
  zh: string;
  slots: string;
  asked: string;
  askedZh: string;
}

export const EVERYDAY: readonly Everyday[] = [
  {
    names:
      'get_weather, weather, current_weather, get_current_weather, weather_lookup, getWeather, get_forecast',
    en: 'Get the weather of a city|Current weather for a location|Weather forecast',
    zh: '查询城市的天气|获取当前天气',
    slots: 'city, date',
    asked: `What's the weather like in {city}?
What is the weather in {city} {date}?
How is the weather in {city}?
How's the weather in {city} right now?
Is it raining in {city}?
Will it rain in {city} {date}?
Is it cold in {city}?
How warm is it in {city}?
How cold will it get in {city} {date}?
weather {city}
{city} weather
weather in {city} {date}
{city} weather {date}
What's the temperature in {city}?
Do I need a jacket in {city} {date}?
Tell me the forecast for {city}.
Give me the weather forecast for {city} {date}
Is it sunny in {city} today?
I'm going to {city} {date}, what will the weather be?
Can you check if it is snowing in {city}?
I wonder whether it is windy in {city}
Compare the weather in {city} and {city#2}.
What's the weather in {city} and in {city#2}?
weather for {city} and {city#2} please
How is the weather in {city}, and how about {city#2}?
Is it warmer in {city} or in {city#2}?
!Should I take an umbrella to {city}?
!How hot is it over there in {city}?
!What are conditions like in {city} {date}?
!I fly to {city} {date}. Will it be nice out?
!Which has better weather, {city} or {city#2}?
!forecast please: {city}`,
    askedZh: `{city}天气怎么样？
{city}今天的天气如何
{date}{city}的天气怎么样？
查一下{city}的天气
{city}{date}会下雨吗？
{city}冷不冷？
{city}现在多少度
帮我看看{city}{date}的天气
{city}和{city#2}的天气怎么样？
比较一下{city}和{city#2}的天气
!{city}热吗？
!去{city}要不要带伞
!{date}我要去{city}，天气好吗？`,
  },
  {
    names: 'get_time, current_time, time_in, get_current_time, clock, world_clock',
    en: 'Get the current time in a city|Current time of a place',
    zh: '查询城市的当前时间',
    slots: 'city',
    asked: `What time is it in {city}?
What's the time in {city}?
time in {city}
current time {city}
How late is it in {city} now?
Tell me the local time in {city}.
What time is it now in {city}?
Can you tell me what time it is in {city}?
What time is it in {city} and {city#2}?
Give me the time in {city} and in {city#2}
!Is it already night in {city}?
!what hour is it over in {city}
!Do the clocks in {city} say morning?`,
    askedZh: `{city}现在几点？
{city}的时间
{city}现在是几点钟
告诉我{city}的当前时间
{city}和{city#2}现在几点？
!{city}那边几点了
!想知道{city}的当地时间`,
  },
  {
    names: 'web_search, search, search_web, google_search, internet_search, searchWeb',
    en: 'Search the web|Search the internet for something',
    zh: '搜索网页|在网上搜索',
    slots: 'query, limit',
    asked: `Search the web for {query}.
Google {query}
search for {query}
Look up {query} online.
Find information about {query}.
Find me something about {query} on the internet
Can you look up {query}?
What does the internet say about {query}?
I need information on {query}
Do a web search for {query}
search {query}
Find {limit} results about {query}
Search the web for {query} and for {query#2}
!Dig up what you can on {query}.
!I'm curious about {query}, check online
!hit the web for {query}`,
    askedZh: `搜索{query}
在网上搜一下{query}
帮我查{query}的资料
上网找一下{query}
搜一搜{query}
给我找{limit}条关于{query}的结果
!网上有没有{query}的消息
!百度一下{query}`,
  },
  {
    names: 'send_email, email, mail, sendEmail, compose_email, send_mail',
    en: 'Send an email|Write and send an email',
    zh: '发送邮件',
    slots: 'email, subject, body',
    asked: `Send an email to {email} with the subject "{subject}" saying "{body}".
Email {email}: {body}
Write an email to {email} about "{subject}": "{body}"
Send {email} an email that says "{body}"
Mail {email} with subject "{subject}" and text "{body}".
send a mail to {email}, subject "{subject}", body "{body}"
Please email {email} and tell them "{body}".
I need to email {email}. Subject: {subject}. Text: {body}
Drop {email} a line: "{body}"
Shoot an email to {email} titled "{subject}": "{body}"
!Let {email} know by mail that "{body}".
!Write to {email}, heading "{subject}", and say "{body}"
!Get this to {email}: "{body}"`,
    askedZh: `给{email}发邮件，主题是“{subject}”，内容是“{body}”
发一封邮件到{email}，内容：{body}
发邮件给{email}说“{body}”
写邮件给{email}，标题“{subject}”，正文“{body}”
!用邮件告诉{email}“{body}”
!寄封信到{email}，写“{body}”`,
  },
  {
    names: 'send_message, message, text, sendMessage, send_sms, notify',
    en: 'Send a message to somebody|Send a text message',
    zh: '发送消息',
    slots: 'person, body',
    asked: `Send {person} a message: {body}
Tell {person} "{body}"
Text {person} that "{body}"
Message {person}: "{body}"
Send a message to {person} saying "{body}".
Let {person} know "{body}"
Can you text {person} "{body}"?
Write {person} "{body}"
send "{body}" to {person}
Tell {person} and {person#2} "{body}"
!Ping {person} with "{body}"
!Pass this on to {person}: "{body}"
!{person} should hear that "{body}"`,
    askedZh: `给{person}发消息：{body}
告诉{person}“{body}”
发短信给{person}，内容是“{body}”
跟{person}说“{body}”
通知{person}“{body}”
!转告{person}“{body}”
!给{person}带个话：{body}`,
  },
  {
    names: 'create_event, add_event, calendar_add, createEvent, schedule_meeting, add_to_calendar',
    en: 'Create an event in the calendar|Add a meeting to the calendar',
    zh: '在日历中创建日程',
    slots: 'title, date, time',
    asked: `Create an event "{title}" on {date} at {time}.
Add "{title}" to my calendar for {date} at {time}
Schedule a meeting called "{title}" {date} at {time}
Put "{title}" in my calendar on {date}
Set up a meeting "{title}" for {date} at {time}
I have "{title}" on {date} at {time}, add it to my calendar
Plan "{title}" for {date}
calendar: "{title}", {date}, {time}
New appointment "{title}" on {date} at {time}
Block {date} at {time} for "{title}"
!Pencil in "{title}" for {date}, {time}
!Make sure "{title}" is in the diary on {date}
!{date} at {time} is "{title}", note it in my schedule`,
    askedZh: `在{date}{time}创建日程“{title}”
把“{title}”加到日历，时间是{date}{time}
安排一个会议“{title}”，{date}{time}
{date}{time}有“{title}”，加到日历里
!日程表里记上{date}的“{title}”
!约个“{title}”，{date}{time}`,
  },
  {
    names: 'set_reminder, remind, add_reminder, create_reminder, reminder',
    en: 'Set a reminder|Remind the user of something',
    zh: '设置提醒',
    slots: 'body, time, date',
    asked: `Remind me to {body} at {time}.
Remind me at {time} to {body}
Set a reminder for {time}: {body}
Set a reminder to {body} on {date}
Remind me about "{body}" {date} at {time}
Don't let me forget to {body} at {time}
reminder {time} {body}
Can you remind me to {body} {date}?
I need a reminder at {time}: "{body}"
!At {time} tell me to {body}
!Make me remember "{body}" {date}
!nudge me at {time} about "{body}"`,
    askedZh: `{time}提醒我{body}
设置{time}的提醒：{body}
{date}提醒我“{body}”
提醒我{date}{time}“{body}”
!别让我忘了{time}“{body}”
!到{time}叫我{body}`,
  },
  {
    names: 'read_file, readFile, open_file, cat_file, view_file, get_file_contents, Read',
    en: 'Read a file|Returns the contents of a file',
    zh: '读取文件内容',
    slots: 'path',
    asked: `Read {path}
Read the file {path}.
Show me {path}
What is in {path}?
What's inside {path}?
Open {path}
cat {path}
Show the contents of {path}
Print {path}
Let me see {path}
Can you read {path} for me?
What does {path} say?
View {path}
Read {path} and {path#2}
Have a look at {path}
!Give me everything in {path}
!I want to look at {path}
!dump {path} here
!Compare {path} with {path#2}`,
    askedZh: `读取{path}
打开{path}
看看{path}里有什么
显示{path}的内容
{path}里写了什么？
读取{path}和{path#2}
!把{path}给我看看
!{path}的内容是啥`,
  },
  {
    names: 'write_file, writeFile, save_file, create_file, put_file, Write',
    en: 'Write text to a file|Create or overwrite a file',
    zh: '写入文件',
    slots: 'path, body',
    asked: `Write "{body}" to {path}
Write "{body}" into the file {path}.
Save "{body}" to {path}
Create {path} with the content "{body}"
Create a file {path} that contains "{body}"
Put "{body}" in {path}
Make a file {path} with "{body}" in it
store "{body}" in {path}
Overwrite {path} with "{body}"
!{path} should read "{body}"
!I want {path} to contain "{body}"
!drop "{body}" into {path}`,
    askedZh: `把“{body}”写入{path}
在{path}里写“{body}”
创建文件{path}，内容是“{body}”
将“{body}”保存到{path}
!新建{path}，里面放“{body}”
!让{path}的内容变成“{body}”`,
  },
  {
    names: 'list_files, list_directory, ls, listFiles, list_dir, read_dir, LS',
    en: 'List the files of a folder|Lists a directory',
    zh: '列出目录中的文件',
    slots: 'folder',
    asked: `List the files in {folder}
What files are in {folder}?
Show me the files in {folder}.
ls {folder}
What's in the folder {folder}?
List {folder}
Show the contents of the directory {folder}
Which files does {folder} have?
Give me a listing of {folder}
List the files in {folder} and in {folder#2}
!Anything inside {folder}?
!I need to see what lies in the directory {folder}
!file names under {folder} please`,
    askedZh: `列出{folder}里的文件
{folder}目录下有哪些文件？
看看{folder}文件夹
显示{folder}目录的内容
!{folder}里都有啥文件
!把{folder}的文件列给我`,
  },
  {
    names: 'run_command, bash, shell, exec, execute_command, run_shell, terminal, Bash',
    en: 'Run a shell command|Executes a command in the terminal',
    zh: '运行命令|执行 shell 命令',
    slots: 'command',
    asked: `Run {command}
Run \`{command}\`
Execute {command}
Run the command {command}
Execute the command "{command}" in the terminal.
Please run \`{command}\`
run this: {command}
Can you execute \`{command}\` for me?
In the shell, run {command}
Run \`{command}\` and then \`{command#2}\`
bash: {command}
!Type \`{command}\` into the terminal
!What does \`{command}\` print?
!I want you to try {command}`,
    askedZh: `运行{command}
执行命令{command}
执行\`{command}\`
在终端运行\`{command}\`
帮我跑一下{command}
!敲一下\`{command}\`
!试试{command}`,
  },
  {
    names: 'calculator, calculate, calc, evaluate, compute, math, eval_expression',
    en: 'Calculate an expression|Evaluates arithmetic',
    zh: '计算算式',
    slots: 'sum',
    asked: `What is {sum}?
What's {sum}?
Calculate {sum}
Compute {sum}.
How much is {sum}?
{sum}
{sum} = ?
Work out {sum}
Solve {sum}
Can you calculate {sum}?
What do you get for {sum}?
Evaluate {sum}
What is {sum}, and what is {sum#2}?
Calculate {sum} and {sum#2}
!I need the result of {sum}
!Tell me how much {sum} makes
!do the maths: {sum}`,
    askedZh: `{sum}等于多少？
计算{sum}
{sum}是多少
算一下{sum}
请计算{sum}
!{sum}得多少
!帮我算算{sum}的结果`,
  },
  {
    names: 'add, add_numbers, sum_numbers, plus, addition',
    en: 'Add two numbers',
    zh: '两数相加',
    slots: 'a, b',
    asked: `What is {a} plus {b}?
Add {a} and {b}.
{a} + {b}
What's {a}+{b}?
Sum {a} and {b}
How much is {a} plus {b}?
Can you add {a} and {b}?
What is the sum of {a} and {b}?
!Put {a} and {b} together
!{a} and {b} make how much?`,
    askedZh: `{a}加{b}等于多少？
{a}加上{b}
计算{a}+{b}
{a}与{b}的和是多少
!{a}跟{b}加起来`,
  },
  {
    names: 'multiply, multiply_numbers, times, product',
    en: 'Multiply two numbers',
    zh: '两数相乘',
    slots: 'a, b',
    asked: `What is {a} times {b}?
Multiply {a} by {b}.
{a} * {b}
{a} x {b}
Multiply {a} and {b}
How much is {a} times {b}?
What is the product of {a} and {b}?
!{a} multiplied with {b} gives what?
!take {a} {b} times`,
    askedZh: `{a}乘以{b}等于多少？
{a}乘{b}
计算{a}*{b}
!{a}和{b}的乘积`,
  },
  {
    names: 'translate, translate_text, translation, translator',
    en: 'Translate text to another language',
    zh: '翻译文本',
    slots: 'words, language',
    asked: `Translate "{words}" to {language}.
Translate "{words}" into {language}
How do you say "{words}" in {language}?
What is "{words}" in {language}?
What's the {language} word for "{words}"?
translate {words} to {language}
Say "{words}" in {language}
Can you translate "{words}" into {language}?
I need "{words}" in {language}
"{words}" in {language}?
Translate "{words}" to {language} and to {language#2}
!Put "{words}" into {language}
!Give me the {language} for "{words}"
!turn "{words}" into {language}`,
    askedZh: `把“{words}”翻译成{language}
“{words}”用{language}怎么说？
将“{words}”译成{language}
翻译“{words}”，目标语言{language}
!“{words}”的{language}是什么
!用{language}表达“{words}”`,
  },
  {
    names: 'get_stock_price, stock_price, stock_quote, quote, lookup_stock, getStockPrice',
    en: 'Get the stock price of a company|Current price of a stock',
    zh: '查询股票价格',
    slots: 'company',
    asked: `What is the stock price of {company}?
What's {company} trading at?
How is {company} stock doing?
{company} stock price
Stock price of {company}
How much is a share of {company}?
What does {company} cost per share?
Check the price of {company} stock
Get me a quote for {company}
stock {company}
Compare the stock prices of {company} and {company#2}
What are {company} and {company#2} trading at?
!Where do {company} shares stand?
!Is {company} up today?
!one share of {company} is how much now`,
    askedZh: `{company}的股价是多少？
{company}股票多少钱
查一下{company}的股价
{company}今天股价
{company}和{company#2}的股价
!{company}现在一股多少
!看看{company}涨了没有`,
  },
  {
    names: 'convert_currency, exchange, currency_converter, convert_money, fx_convert',
    en: 'Convert money to another currency',
    zh: '货币换算',
    slots: 'money, from, to',
    asked: `Convert {money} {from} to {to}.
How much is {money} {from} in {to}?
What is {money} {from} in {to}?
{money} {from} to {to}
{money} {from} in {to}
Change {money} {from} into {to}
exchange {money} {from} for {to}
How many {to} do I get for {money} {from}?
Turn {money} {from} into {to}
!I have {money} {from}, what is that in {to}?
!{money} {from} makes how many {to}`,
    askedZh: `{money}{from}换成{to}是多少？
把{money}{from}兑换成{to}
{money} {from}等于多少{to}
!{money}{from}能换多少{to}`,
  },
  {
    names: 'search_flights, find_flights, flights, book_flight, flight_search, get_flights',
    en: 'Find flights between two cities',
    zh: '查询航班',
    slots: 'origin, destination, date',
    asked: `Find flights from {origin} to {destination} on {date}.
I want to fly from {origin} to {destination} {date}
Flights from {origin} to {destination}
flights {origin} to {destination} {date}
Show me flights to {destination} from {origin} on {date}
Is there a flight from {origin} to {destination} {date}?
Look for a flight between {origin} and {destination}
I need to get from {origin} to {destination} on {date}
Book me a flight from {origin} to {destination} for {date}
How can I fly from {origin} to {destination}?
!What planes go from {origin} to {destination} {date}?
!{origin} - {destination} by plane, {date}
!I leave {origin} {date} and must be in {destination}, find me something`,
    askedZh: `查一下{date}从{origin}到{destination}的航班
{origin}到{destination}的机票
我想{date}从{origin}飞{destination}
帮我找从{origin}到{destination}的航班
!{date}由{origin}飞往{destination}
!有没有{origin}去{destination}的飞机`,
  },
  {
    names: 'get_directions, route, directions, navigate, find_route',
    en: 'Find the way between two places',
    zh: '查询路线',
    slots: 'origin, destination',
    asked: `How do I get from {origin} to {destination}?
Directions from {origin} to {destination}
Show me the way from {origin} to {destination}
Navigate from {origin} to {destination}
What is the route from {origin} to {destination}?
How far is it from {origin} to {destination}?
route {origin} to {destination}
I have to drive from {origin} to {destination}, how?
!Which road takes me from {origin} to {destination}?
!Guide me out of {origin} to {destination}`,
    askedZh: `从{origin}到{destination}怎么走？
{origin}到{destination}的路线
导航从{origin}到{destination}
!我在{origin}，怎么去{destination}`,
  },
  {
    names: 'book_table, reserve_table, restaurant_booking, bookTable, reserve_restaurant',
    en: 'Book a table at a restaurant',
    zh: '预订餐厅座位',
    slots: 'restaurant, people, time, date',
    asked: `Book a table at {restaurant} for {people} at {time}.
Reserve a table for {people} people at {restaurant} {date} at {time}
Table for {people} at {restaurant}, {time}
I want to eat at {restaurant} with {people} people at {time}
Get us a table at {restaurant} for {people} people
Make a reservation at {restaurant} for {people} on {date} at {time}
book {restaurant} for {people} at {time}
Can you reserve a table for {people} at {restaurant}?
!We are {people}, find us a place at {restaurant} at {time}
!Dinner at {restaurant}, party of {people}, {time}`,
    askedZh: `在{restaurant}订{people}个人的位子，{time}
预订{restaurant}，{people}人，{date}{time}
帮我订{restaurant}，{people}位
!{people}个人去{restaurant}吃饭，{time}，订个位`,
  },
  {
    names: 'set_light, control_light, lights, switch_light, light_switch, toggle_light',
    en: 'Turn the light in a room on or off',
    zh: '开关房间的灯',
    slots: 'room, state',
    asked: `Turn on the light in the {room}. => state: on
Turn off the light in the {room} => state: off
Switch off the {room} lights => state: off
Switch on the {room} light => state: on
Turn the {room} lights on => state: on
Turn the {room} lights off => state: off
lights on in the {room} => state: on
lights off in the {room} => state: off
{room} light {state}
Set the {room} light to {state}
Can you turn off the lights in the {room}? => state: off
It's dark in the {room}, turn on the light => state: on
Turn off the lights in the {room} and the {room#2} => state: off
!Make it dark in the {room} => state: off
!I need some light in the {room} => state: on
!kill the lights in the {room} => state: off`,
    askedZh: `打开{room}的灯 => state: on
关掉{room}的灯 => state: off
把{room}的灯关了 => state: off
开一下{room}的灯 => state: on
{room}开灯 => state: on
{room}关灯 => state: off
!{room}太黑了 => state: on
!{room}的灯不用开了 => state: off`,
  },
  {
    names: 'set_brightness, dim_light, brightness, set_light_level',
    en: 'Set the brightness of the light in a room',
    zh: '设置房间灯光亮度',
    slots: 'room, level',
    asked: `Set the {room} light to {level} percent.
Dim the {room} lights to {level}%
Set the brightness in the {room} to {level}
Make the {room} light {level}% bright
{room} brightness {level}
Turn the {room} lights down to {level} percent
Brighten the {room} to {level}%
!I want {level}% light in the {room}
!take the {room} lamps to {level}`,
    askedZh: `把{room}的灯调到{level}%
{room}亮度设为{level}
将{room}的亮度调到百分之{level}
!{room}灯光{level}%就好`,
  },
  {
    names: 'set_temperature, thermostat, set_thermostat, heating, setTemperature',
    en: 'Set the temperature of the heating',
    zh: '设置室温',
    slots: 'degrees, room',
    asked: `Set the temperature to {degrees} degrees.
Set the thermostat to {degrees}
Make it {degrees} degrees in the {room}
Heat the {room} to {degrees} degrees
Turn the heating in the {room} to {degrees}
I want {degrees} degrees in the {room}
thermostat {degrees}
Change the temperature in the {room} to {degrees}
!It should be {degrees} degrees in the {room}
!warm up the {room} until it has {degrees}`,
    askedZh: `把温度设为{degrees}度
{room}温度调到{degrees}度
将恒温器设置成{degrees}度
!{room}要{degrees}度`,
  },
  {
    names: 'set_timer, timer, start_timer, countdown, setTimer',
    en: 'Start a timer',
    zh: '设置计时器',
    slots: 'minutes',
    asked: `Set a timer for {minutes} minutes.
Timer {minutes} minutes
Start a {minutes} minute timer
Give me a {minutes} minute countdown
set timer {minutes} min
Wake me in {minutes} minutes
I need a timer for {minutes} minutes
Count down {minutes} minutes
Tell me when {minutes} minutes are over
!Ring in {minutes} minutes
!{minutes} minutes from now, beep
!clock {minutes} minutes for me`,
    askedZh: `设置{minutes}分钟的计时器
倒计时{minutes}分钟
计时{minutes}分钟
{minutes}分钟后提醒我
!过{minutes}分钟响一下`,
  },
  {
    names: 'play_music, play, play_song, playSong, music_player',
    en: 'Play a song',
    zh: '播放音乐',
    slots: 'song, artist',
    asked: `Play "{song}" by {artist}.
Play "{song}"
Put on "{song}" by {artist}
I want to hear "{song}"
Play the song "{song}" by {artist}
Can you play "{song}" from {artist}?
listen to "{song}"
Start "{song}" by {artist}
!Let's have some "{song}" by {artist}
!I'm in the mood for "{song}"`,
    askedZh: `播放{artist}的“{song}”
放一首“{song}”
我想听{artist}的“{song}”
播放歌曲“{song}”
!来一首“{song}”`,
  },
  {
    names: 'grep, search_code, search_files, find_in_files, code_search, Grep',
    en: 'Search for text in files|Find a pattern in the code',
    zh: '在文件中搜索文字',
    slots: 'pattern, folder',
    asked: `Search for "{pattern}" in {folder}
Find {pattern} in {folder}
grep {pattern} {folder}
Where is "{pattern}" used in {folder}?
Find all uses of {pattern} in {folder}
Which files in {folder} contain "{pattern}"?
Look for "{pattern}" in the folder {folder}
Search {folder} for {pattern}
Find "{pattern}" in the code
Where do we use {pattern}?
!Does "{pattern}" occur anywhere in {folder}?
!hunt down {pattern} under {folder}`,
    askedZh: `在{folder}里搜索“{pattern}”
查找{folder}中的{pattern}
{folder}里哪些文件有“{pattern}”？
!{pattern}在{folder}的什么地方`,
  },
  {
    names: 'order_status, get_order, track_order, check_order, getOrderStatus, lookup_order',
    en: 'Get the state of an order',
    zh: '查询订单状态',
    slots: 'order',
    asked: `Where is my order {order}?
What is the status of order {order}?
Track order {order}
Check order {order}
Has order {order} shipped?
order {order} status
Look up my order {order}
I'm waiting for order {order}, where is it?
Status of {order} please
When will order {order} arrive?
Check the orders {order} and {order#2}
!What happened to {order}, the thing I ordered?
!Did {order} leave the warehouse yet?`,
    askedZh: `订单{order}到哪里了？
查询订单{order}的状态
我的订单{order}发货了吗
订单{order}什么时候到
!{order}这单怎么还没来`,
  },
  {
    names: 'query_database, get_rows, db_query, select_rows, read_table',
    en: 'Read rows of a table of the database',
    zh: '读取数据库表中的行',
    slots: 'table, limit',
    asked: `Show me the first {limit} rows of the table {table}.
Get {limit} rows from {table}
Query {table}, limit {limit}
What is in the table {table}?
Select {limit} rows from the {table} table
Read the table {table}
Give me {limit} entries of {table}
!Pull {limit} records out of {table}
!I want to peek at {limit} rows in {table}`,
    askedZh: `显示表{table}的前{limit}行
从{table}表取{limit}行
查询{table}表
!{table}表里拿{limit}条看看`,
  },
  {
    names: 'find_user, get_user, lookup_user, getUser, user_info, search_people',
    en: 'Find a user by name',
    zh: '按姓名查找用户',
    slots: 'person',
    asked: `Find the user {person}.
Who is {person}?
Look up {person}
Get the profile of {person}
Show me the user {person}
Do we have a user called {person}?
user {person}
Find {person} and {person#2}
!What do we know about {person}?
!Is {person} in our system?`,
    askedZh: `查找用户{person}
{person}是谁？
查一下{person}的资料
!系统里有{person}吗`,
  },
  {
    names: 'git_commit, commit, commit_changes, gitCommit',
    en: 'Commit the changes',
    zh: '提交更改',
    slots: 'body',
    asked: `Commit with the message "{body}".
git commit -m "{body}"
Commit the changes: "{body}"
Make a commit "{body}"
Commit everything as "{body}"
!Save my work in git with "{body}"
!check this in: "{body}"`,
    askedZh: `提交，说明是“{body}”
用“{body}”作为说明提交更改
提交代码：“{body}”
!代码提上去，写“{body}”`,
  },
  {
    names: 'checkout_branch, git_checkout, switch_branch, create_branch',
    en: 'Switch to a branch',
    zh: '切换分支',
    slots: 'branch',
    asked: `Switch to the branch {branch}
git checkout {branch}
Check out {branch}
Go to branch {branch}
Change to the {branch} branch
switch branch {branch}
!Take me to {branch} in git
!I want to work on {branch} now`,
    askedZh: `切换到{branch}分支
切到分支{branch}
检出{branch}
!去{branch}分支`,
  },
  {
    names: 'get_news, news, latest_news, news_search, headlines',
    en: 'Get the latest news',
    zh: '获取最新新闻',
    slots: 'topic, limit',
    asked: `What's new about {topic}?
Give me the latest news on {topic}.
News about {topic}
What is in the news about {topic}?
Show me {limit} headlines about {topic}
news {topic}
Any news on {topic}?
What happened with {topic} lately?
Get {limit} articles about {topic}
!What do the papers write about {topic}?
!Catch me up on {topic}`,
    askedZh: `{topic}的最新新闻
有什么关于{topic}的新闻？
给我{limit}条{topic}的新闻
看看{topic}方面的消息
!{topic}最近怎么了`,
  },
  {
    names: 'search_products, find_product, product_search, shop, searchProducts',
    en: 'Find products in the shop',
    zh: '在商店中查找商品',
    slots: 'product, price',
    asked: `Find {product} under {price}.
I'm looking for {product} for less than {price}
Show me {product} below {price}
Search the shop for {product}
Do you sell {product}?
I want to buy {product}
{product} under {price}
cheap {product}, at most {price}
!Got any {product} that cost no more than {price}?
!what {product} can I get for {price}`,
    askedZh: `找{price}元以下的{product}
有没有{product}卖？
我想买{product}，不超过{price}
搜索商品{product}
!{product}有便宜点的吗，{price}以内`,
  },
  {
    names: 'fetch_url, open_page, get_page, fetch, browse, read_url, WebFetch',
    en: 'Fetch a web page',
    zh: '获取网页',
    slots: 'url',
    asked: `Fetch {url}
Open {url}
What is on {url}?
Read the page {url}
Go to {url}
Get the page {url}
Summarize {url}
Show me {url}
browse to {url}
What does {url} say?
Fetch {url} and {url#2}
!Have a look at the site {url}
!Pull {url} for me`,
    askedZh: `打开{url}
获取{url}的内容
看看{url}上有什么
访问{url}
!{url}这个网页写了什么`,
  },
  {
    names: 'save_note, add_note, create_note, note, takeNote',
    en: 'Save a note',
    zh: '保存笔记',
    slots: 'title, body',
    asked: `Save a note "{title}": "{body}".
Note: {body}
Make a note called "{title}" that says "{body}"
Write down "{body}"
Add a note titled "{title}" with the text "{body}"
Take a note: "{body}"
Keep this as a note: "{body}"
!Jot down "{body}"
!Put "{body}" on record as "{title}"`,
    askedZh: `记一条笔记：“{body}”
保存笔记“{title}”，内容“{body}”
写下“{body}”
!帮我记着“{body}”`,
  },
  {
    names: 'random_number, roll, random, pick_number',
    en: 'Draw a random number',
    zh: '生成随机数',
    slots: 'low, high',
    asked: `Give me a random number between {low} and {high}.
Pick a number from {low} to {high}
Random number {low} to {high}
Draw a number between {low} and {high}
Choose any number from {low} up to {high}
!Throw dice from {low} to {high}
!surprise me with a number, {low} to {high}`,
    askedZh: `给我一个{low}到{high}之间的随机数
从{low}到{high}随机选一个数
!{low}和{high}之间随便来个数`,
  },
];
