package language

// Function words of languages for which the analysis library has none, few, or verbs only.

const (
	croatianStops = `i u na je se za od do da s sa o po iz ili ali nije nisu koji koja koje što kao ovaj ova ovo ove ovi taj
ta to te oni ona ono on`
	vietnameseStops = `là của và có được trong các những một cho không với người này đã từ khi đến về như ở tại vào ra bởi nào
gì ai bao nhiêu đó trên theo để`
	danishStops = `af blev efter ej haft mod nogen også ret sig uden ved være været hver af enhver frihed
over mellem sådan nogle`
	finnishStops = `jokaisella jokaisen on oikeus tai sekä joka ilman myös ovat kuin ole hän hänen kaikki
mukaan tulee olla niin että`
	slovakStops = `a aj ako ale alebo ani áno bez bol bola boli bolo bude byť cez čo do dňa ešte ho i ich je jej jeho k kde
keď ktorá ktoré ktorý ktorých len má majú medzi mu na nad nie o od on ona oni po pod podľa pre pred pri
právo sa si sme som sú svoje tak táto tento to toto u v vo voči všetky všetko z za zo že každý ktorí`
	slovenianStops = `a ali ampak bi bil bila bilo bo da do dr ga ima in iz jaz je jih k kaj kakor kar kateri katere ki ko kot
le med na ne ni njegov njegove o ob od pa po pod pravico pred pri s saj se sem si smo so svoje ta tako te
to tudi v vse vsi za zelo vsakdo z`
	estonianStops = `aga ei ega et ja kas kes kui kõik ka ma me mille mis mida ning nad need nii oli olid olla on oma pole
põhjal sa see selle seda siis ta tema tal teie tuleb või vastu välja igal igaühel kelle nende ühegi vahel`
	latvianStops = `ar arī bet bez bija būt ir ja jo jā kas kā kad kam kuru ko līdz lai man mēs ne nav no nevar par pa pār
pēc pie pret savu šis šī tā tad tas te tie tiek to tur un uz vai var viņa viņš viņu vārdu vēl visi katram
kurš jebkuru`
	lithuanianStops = `ar arba be bei bet bus buvo būti dėl iki iš ir jei jis ji jo jų jos kad kaip kas kuri kuris kurie ką lai
man mes nei ne nes nuo nėra o pagal pat per po prie priimti prieš savo su šio šis ta tai tas tik to turi
už visi vienas yra žmogus kiekvienas`
	albanianStops = `a ai ajo apo as asnjë çdo dhe do duhet e edhe është i ishte janë ka kanë këto ky kjo me mbi më mund nuk
në nga nën nëse një për pa po prej që qe se si të tij tyre u ua vetëm gjithë kundër`
	azerbaijaniStops = `amma ancaq bir bu bunun də da daha deyil edilən edir etmək əgər hər həm hansı heç ilə isə kimi ki lakin
mən malik nə olan olaraq olmalıdır onun onlar onu öz sən siz tərəfindən üçün üzrə və var ya yaxud yalnız`
	kurmanjiStops = `an bi bide bike bo bû bûn da de dê di divê dikare eger ev ew ez her hate herkes hemû hev ji jî ku kir
kirin kî li lê me min na nabe ne nikare pê piştî re t tê tu tune û wan we wek wê wî xwe yan yek yê yên çi
heye mafê`
	uzbekStops = `bilan bir boʻlgan bo‘lgan bo'lgan bu bundan ega edi emas har hamda ham haqida huquqiga ikki inson kabi
kerak kim lozim mumkin oʻz o‘z o'z shu uchun ular uning va yoki yo‘q yoʻq`
	basqueStops = `eta da du ez dira izan den dute edo ere beste bere bat batzuk baina hau hori guztiak guzti bezala gabe
egin behar duten dituzte zuen`
	icelandicStops = `að af á eða ef ekki en er eru eftir fyrir frá hafa hann hans hefur hún hver hverjum í með mega og sem sér
sig skal skulu sinni sínum til um undir upp var við vera það þau þeir þess þessi því þar allir`
	afrikaansStops = `aan as by daar dat deur die dit een elke en enige het hierdie hom hulle in is kan met mag moet ná nie of
om onder ook op reg sal se sy te tot uit van vir was wat word wees 'n sonder`
	tagalogStops = `ang ay at ako ating bawat dahil din doon hindi ito ibang kanya kanyang kaniyang lahat may mga na ng nang
ni o pag para sa sapagkat siya sila sino tao ukol walang`
	swahiliStops = `ana au bila cha haki hata hii hiyo huyo ili ile ina juu kama kila kuwa kutoka kwa kwamba la lakini mtu ma
na ni pia sana si wa wake wao watu wote ya yake yoyote za zake zote katika`
	somaliStops = `aan ah ama aya ay ayaa ayuu u waa wax ku ka la loo isaga iyo in inuu inay ilaa iska leeyahay leh mid oo
qof soo uu waxaa xaq waxa kasta kala sida`
	persianStops = `این آن را از که به در با برای تا است هست بود شد می ها های هر خود یا نیز هم شود باشد دارد کرد یک چه آنها`
	arabicStops  = `في من على إلى أن إن هذا هذه ذلك التي الذي الذين كان كانت ما لا لم لن هو هي هم عن مع أو ثم قد كل بين بعد
قبل عند حتى إذا غير أي وفي ومن وعلى`
	urduStops = `اور کے کی کا کو میں ہے ہیں سے پر نے کہ اس ان یہ وہ بھی نہیں تھا تھی تھے ہو ہونا کر کرنے گا گی گے جو تو یا
ہر ایک کسی اپنے اپنی اپنا جائے لئے لیے ساتھ تک جس جن دیا گیا`
	soraniStops = `لە بە بۆ کە دا ئەم ئەو هەر هەموو یان نابێ دەبێ نەبێ لەگەڵ بۆی خۆی وە ئەگەر مافی کەس هیچ وەک لەلایەن`
	pashtoStops = `او په د له چې کې کښې سره ته یې دی ده دي هر نه هغه دا دغه څوک وي شي کړي کوي لري خپل خپله خپلو باید پر تر
پورې څخه یا هم ډول شوي هیڅ`
	sindhiStops    = `جي جو جا جون کي ۾ ۽ آهي آهن سان تي مان هن هر نه پنهنجي به کان يا ڪري ڪو ڪنهن ٿو ٿي ٿا`
	uyghurStops    = `ۋە بىلەن ئۈچۈن بۇ ياكى ھەر ھەممە ئادەم قىلىش بولغان بىر كېرەك ئۇنىڭ ئۆز ئۆزىنىڭ ھېچكىم`
	ukrainianStops = `і й та в у на з із до не що як є або за про від його її їх це цей ця ті який яка яке які бути був була
було були для при по але чи кожна людина має право ніхто також між під щоб`
	belarusianStops = `і й у ў на з са не што як для або за ад аб яго яе іх гэта гэты якія які якая быць быў была было па але ці
кожны чалавек мае права ніхто таксама пры каб`
	macedonianStops = `и во на од со да се не за или е што кој која кои како ова овој тоа тие по при биде секој има право никој
треба сите до меѓу врз своите неговите ги го ја му`
	serbianStops = `и у на од са да се не за или је што који која које како ово овај то они по при бити сваки свако има право
нико су свим до међу својих његове га му ће`
	kazakhStops = `және мен бен пен бір бұл осы сол да де үшін болып болуы бар емес ол оның олар өз өзінің әр әрбір әркім
барлық немесе тиіс құқығы құқылы ешкім керек бойынша`
	kyrgyzStops = `жана менен бир бул ушул да де үчүн болуп бар эмес ал анын алар өз өзүнүн ар бардык же тийиш укугу укуктуу
эч ким керек боюнча`
	tajikStops = `ва дар аз ба бо ки ин он барои то ё ҳар дорад ҳақ набояд бояд шуда аст мебошад худ кас ҳеҷ ҳама мекунад
карда`
	mongolianStops = `нь ба болон бол энэ тэр бүр хүн эрх эрхтэй буюу юм байна байх болно ямар өөрийн тул хэн мөн`
	hindiStops     = `है हैं और के की का को में से पर ने कि यह वह भी नहीं था थी थे हो होना होगा कर करने गया जो तो या हर एक किसी
अपने अपनी जाए लिए साथ तक`
	marathiStops = `आहे आहेत आणि व च चा ची चे च्या ला ना मध्ये हा ही हे तो ती ते त्या या असे नाही होता होती किंवा प्रत्येक
आपल्या आपला करण्याचा अधिकार असावा कोणत्याही सर्व येईल`
	nepaliStops = `छ छन् र को का की ले मा लाई बाट यो त्यो पनि होइन थियो हुनेछ गर्ने गरेको वा प्रत्येक आफ्नो अधिकार कुनै सबै
हुन्छ छैन भएको तथा सम्मको`
	hebrewStops = `של את על לא הוא היא זה זו אשר כל או אם גם כי עם בין אל הם יש אין מן עד לו לכל אדם ואל רק כדי אבל מה היה
היו`
	yiddishStops = `און די דער דאס דאָס צו פון פֿון אין מיט איז זײן זיין אַ א נישט ניט אויף װאָס וואס האט האָט יעדער מענטש
רעכט זיך ער אדער אָדער קײנער זאָל`
)
