export namespace app {
	
	export interface DrillKept {
	    made: boolean;
	    report: domain.DrillReport;
	}
	export interface DrillWork {
	    running: boolean;
	    progress: domain.DrillProgress;
	}
	export interface JudgedImport {
	    path: string;
	    queries: number;
	    judgements: number;
	    unknown: number;
	}
	export interface LedgerExport {
	    path: string;
	    entries: number;
	}
	export interface MeasureWork {
	    collection: string;
	    progress: domain.MeasureProgress;
	}
	export interface ModelWork {
	    kind: string;
	    name: string;
	    progress: domain.ModelProgress;
	}
	export interface Problem {
	    code: string;
	    message: string;
	    hint: string;
	}
	export interface Sample {
	    folder: string;
	    queries: string[];
	}
	export interface Settings {
	    list: domain.SettingState[];
	    key: domain.KeyState;
	    data_dir: string;
	}
	export interface Understood {
	    filter: domain.QueryFilter;
	    without: string;
	}
	export interface Watch {
	    collection: string;
	    state: domain.WatchState;
	    progress: domain.IndexProgress;
	    changed: number;
	    problem?: Problem;
	}

}

export namespace domain {
	
	export interface Box {
	    x: number;
	    y: number;
	    w: number;
	    h: number;
	}
	export interface Calibration {
	    remote: string;
	    local: string;
	    pairs: number;
	    searches: number;
	    kendall_tau?: number;
	    top5_overlap?: number;
	    applied: boolean;
	    reason: string;
	}
	export interface Place {
	    page?: number;
	    heading?: string;
	    line?: number;
	    cells?: string;
	}
	export interface Chunk {
	    id: number;
	    document_id: number;
	    ordinal: number;
	    text: string;
	    place: Place;
	    language?: string;
	    ocr?: number;
	}
	export interface Location {
	    path: string;
	    member?: string;
	}
	export interface Document {
	    id: number;
	    collection_id: number;
	    path: string;
	    member?: string;
	    format: string;
	    title: string;
	    author?: string;
	    // Go type: time
	    dated: any;
	    size: number;
	    // Go type: time
	    mod_time: any;
	    hash: string;
	    state: string;
	    reason?: string;
	    warnings?: string[];
	    ocr?: string;
	    attempts?: number;
	    same_as?: number;
	    also?: Location[];
	}
	export interface ChunkView {
	    chunk: Chunk;
	    document: Document;
	    before: string;
	    after: string;
	}
	export interface Evidence {
	    queries: number;
	    gain: number;
	    low: number;
	    high: number;
	}
	export interface SearchChoice {
	    lexical_weight: number;
	    candidates: number;
	    top: number;
	    rerank: boolean;
	}
	export interface Tuning {
	    choice: SearchChoice;
	    thresholds?: Record<string, number>;
	    evidence: Evidence;
	    // Go type: time
	    at: any;
	    automatic?: boolean;
	    before?: Tuning;
	}
	export interface CollectionSettings {
	    include?: string[];
	    ignore?: string[];
	    watch?: boolean;
	    on_battery?: string;
	    no_ocr?: boolean;
	    tuning?: Tuning;
	    keep_reranking?: boolean;
	}
	export interface Collection {
	    id: number;
	    name: string;
	    policy: string;
	    roots: string[];
	    settings: CollectionSettings;
	}
	
	export interface CollectionSummary {
	    id: number;
	    name: string;
	    policy: string;
	    roots: string[];
	    settings: CollectionSettings;
	    documents: number;
	    chunks: number;
	    bytes: number;
	    states: Record<string, number>;
	    // Go type: time
	    updated: any;
	}
	export interface Component {
	    ready: boolean;
	    name: string;
	    version?: string;
	    device?: string;
	    precision?: string;
	    code?: string;
	    reason?: string;
	    hint?: string;
	}
	export interface DeviceState {
	    device: string;
	    in_use: boolean;
	    code?: string;
	    reason?: string;
	    hint?: string;
	}
	export interface DeviceTest {
	    model: string;
	    role: string;
	    precision: string;
	    device: string;
	    in_use: boolean;
	    passed: boolean;
	    code?: string;
	    reason?: string;
	    hint?: string;
	    load_ms: number;
	    per_second: number;
	    tokens: number;
	    bytes: number;
	    difference: number;
	}
	export interface Setting {
	    name: string;
	    value: string;
	    from: string;
	}
	export interface ModelStatus {
	    name: string;
	    role: string;
	    tier: string;
	    precision: string;
	    licence: string;
	    origin: string;
	    gives: string;
	    bytes: number;
	    partial: number;
	    state: string;
	    code?: string;
	    reason?: string;
	    hint?: string;
	    path?: string;
	    verified: boolean;
	    custom: boolean;
	    sources: string[];
	}
	export interface OCRProgram {
	    ready: boolean;
	    name: string;
	    version?: string;
	    device?: string;
	    precision?: string;
	    code?: string;
	    reason?: string;
	    hint?: string;
	    path?: string;
	    languages: string[];
	}
	export interface DrillSummary {
	    // Go type: time
	    at: any;
	    state: string;
	    verdict: string;
	}
	export interface Processor {
	    name: string;
	    cores: number;
	    instructions: string[];
	    note?: string;
	}
	export interface Doctor {
	    ready: boolean;
	    problems: string[];
	    version: string;
	    system: string;
	    processor: Processor;
	    data_dir: string;
	    memory_bytes: number;
	    free_memory_bytes: number;
	    free_disk_bytes: number;
	    volume: string;
	    library: Component;
	    library_path: string;
	    embedder: Component;
	    local_reranker: Component;
	    ledger: Component;
	    drill?: DrillSummary;
	    ocr: OCRProgram;
	    devices: DeviceState[];
	    tests: DeviceTest[];
	    models: ModelStatus[];
	    settings: Setting[];
	}
	
	export interface DocumentEntry {
	    id: number;
	    collection_id: number;
	    path: string;
	    member?: string;
	    format: string;
	    title: string;
	    author?: string;
	    // Go type: time
	    dated: any;
	    size: number;
	    // Go type: time
	    mod_time: any;
	    hash: string;
	    state: string;
	    reason?: string;
	    warnings?: string[];
	    ocr?: string;
	    attempts?: number;
	    same_as?: number;
	    also?: Location[];
	    chunks: number;
	    same?: Location;
	    sure?: number;
	}
	export interface DocumentFilter {
	    states?: string[];
	    text?: string;
	    after: Location;
	    limit?: number;
	}
	export interface DocumentPage {
	    documents: DocumentEntry[];
	    more: boolean;
	}
	export interface DrillJudged {
	    queries: number;
	    "mrr@10": number;
	    found: number;
	}
	export interface DrillAgreement {
	    queries: number;
	    kept: number;
	    same_first: number;
	    judged?: DrillJudged;
	}
	export interface DrillFinding {
	    weight: string;
	    code: string;
	    what: string;
	    reason: string;
	    detail?: string;
	    hint?: string;
	}
	export interface DrillCheck {
	    name: string;
	    skipped?: string;
	    ms: number;
	    findings: DrillFinding[];
	}
	
	
	export interface DrillLost {
	    document_id: number;
	    rank: number;
	    title?: string;
	}
	export interface DrillOnline {
	    model: string;
	    queries: number;
	    // Go type: time
	    from: any;
	    // Go type: time
	    to: any;
	    p50_ms: number;
	    p95_ms: number;
	    judged?: DrillJudged;
	}
	export interface DrillProgress {
	    step: string;
	    tier?: string;
	    done: number;
	    of: number;
	}
	export interface DrillQuery {
	    id: string;
	    text?: string;
	    collection: string;
	    kept?: number;
	    same_first?: boolean;
	    right_now?: number;
	    judged: boolean;
	    lost: DrillLost[];
	}
	export interface DrillTier {
	    tier: string;
	    backend: string;
	    model?: string;
	    device?: string;
	    precision?: string;
	    skipped?: string;
	    queries: number;
	    lower: number;
	    load_ms?: number;
	    p50_ms?: number;
	    p95_ms?: number;
	    judged?: DrillJudged;
	    agreement?: DrillAgreement;
	}
	export interface DrillReport {
	    // Go type: time
	    at: any;
	    ms: number;
	    version: string;
	    system: string;
	    processor: string;
	    state: string;
	    verdict: string;
	    checks: DrillCheck[];
	    source: string;
	    queries: number;
	    tiers: DrillTier[];
	    online?: DrillOnline;
	    suffer: DrillQuery[];
	    wait_ms: number;
	}
	export interface DrillRequest {
	    collection: string;
	    queries: number;
	    judged: string;
	    language: string;
	}
	
	
	export interface Duplicate {
	    chunk_id: number;
	    document_id: number;
	    path: string;
	    title: string;
	    similarity: number;
	}
	
	export interface FileCount {
	    files: number;
	    bytes: number;
	    unreadable: number;
	}
	export interface FileProblem {
	    path: string;
	    state: string;
	    reason: string;
	}
	export interface SearchRequest {
	    query: string;
	    collection: string;
	    method: string;
	    rerank: string;
	    fusion: string;
	    candidates: number;
	    top: number;
	    per_document: number;
	    mmr?: number;
	    variety: boolean;
	    offline: boolean;
	    send: boolean;
	    once: boolean;
	    settle_ms: number;
	}
	export interface Scores {
	    bm25?: number;
	    dense?: number;
	    fused?: number;
	    rerank?: number;
	}
	export interface Ranks {
	    bm25?: number;
	    dense?: number;
	    fused?: number;
	    final?: number;
	}
	export interface HistoryHit {
	    rank: number;
	    chunk_id: number;
	    document_id: number;
	    score: number;
	    score_kind: string;
	    ranks: Ranks;
	    scores: Scores;
	    rerank_delta?: number;
	}
	export interface Stage {
	    name: string;
	    ms: number;
	    in: number;
	    out: number;
	}
	export interface Verdict {
	    clear: boolean;
	    threshold?: number;
	    best?: number;
	    message?: string;
	    basis?: string;
	}
	export interface Step {
	    backend: string;
	    code: string;
	    reason: string;
	    failed: boolean;
	}
	export interface RerankTrace {
	    requested: string;
	    backend: string;
	    model: string;
	    device: string;
	    precision: string;
	    fell_back_from?: string;
	    reason: string;
	    steps: Step[];
	    candidates_in: number;
	    candidates_out: number;
	    stage1_n: number;
	    stage2_n: number;
	    early_exit: boolean;
	    breaker: string;
	    hedged: boolean;
	    elapsed_ms: number;
	    mmr_applied: boolean;
	    mmr_lambda?: number;
	    search?: string;
	    calibration?: Calibration;
	}
	export interface HistoryTrace {
	    method: string;
	    requested_method: string;
	    rerank: RerankTrace;
	    verdict: Verdict;
	    stages: Stage[];
	    degraded: string[];
	    hits: HistoryHit[];
	    request?: SearchRequest;
	}
	export interface HistoryEntry {
	    id: number;
	    // Go type: time
	    at: any;
	    collection: string;
	    query: string;
	    trace: HistoryTrace;
	}
	
	
	export interface MoreHit {
	    chunk_id: number;
	    text: string;
	    page: number;
	    heading: string;
	    score: number;
	    score_kind: string;
	}
	export interface Hit {
	    rank: number;
	    path: string;
	    title: string;
	    format: string;
	    page: number;
	    ocr?: number;
	    heading: string;
	    line: number;
	    cells?: string;
	    chunk_id: number;
	    document_id: number;
	    text: string;
	    // Go type: time
	    date: any;
	    highlights: number[][];
	    score: number;
	    score_kind: string;
	    raw_score?: number;
	    ranks: Ranks;
	    scores: Scores;
	    rerank_delta?: number;
	    more_in_document: number;
	    more?: MoreHit[];
	    member?: string;
	    also?: Location[];
	    duplicates: Duplicate[];
	}
	export interface IndexProgress {
	    phase: string;
	    files: number;
	    done: number;
	    chunks: number;
	    to_embed: number;
	    embedded: number;
	    to_ocr: number;
	    ocr_done: number;
	    current: string;
	    waiting: string;
	    rate: number;
	    remaining: number;
	}
	export interface IndexReport {
	    collection: string;
	    indexed: number;
	    unchanged: number;
	    removed: number;
	    moved: number;
	    not_indexed: number;
	    chunks: number;
	    recognised: number;
	    elapsed: number;
	    canceled: boolean;
	    problems: FileProblem[];
	    degraded: string[];
	}
	export interface IndexRequest {
	    collection: string;
	    paths: string[];
	    no_ocr: boolean;
	    on_battery?: string;
	    retry: boolean;
	    again?: string[];
	    rebuild?: boolean;
	}
	export interface JudgedPassage {
	    grade: number;
	    // Go type: time
	    at: any;
	    gone: boolean;
	    path: string;
	    member?: string;
	    title: string;
	    document_id: number;
	}
	export interface JudgedQuery {
	    query: string;
	    // Go type: time
	    last: any;
	    usable: boolean;
	    passages: JudgedPassage[];
	}
	export interface JudgedSet {
	    collection: string;
	    queries: JudgedQuery[];
	    judgements: number;
	    usable: number;
	    gone: number;
	}
	export interface KeyState {
	    from: string;
	    no_keychain: string;
	}
	export interface LedgerFault {
	    kind: string;
	    first: number;
	    last: number;
	    found?: string;
	}
	export interface LedgerEntry {
	    n: number;
	    prev: string;
	    // Go type: time
	    at: any;
	    kind: string;
	    of?: number;
	    search?: string;
	    collections?: string[];
	    policy?: string;
	    by?: string;
	    code?: string;
	    host?: string;
	    model?: string;
	    bytes?: number;
	    body?: string;
	    query?: string;
	    passages?: string[];
	    query_text?: string;
	    passage_texts?: string[];
	    status?: number;
	    ms?: number;
	    faults?: LedgerFault[];
	}
	
	export interface LedgerFilter {
	    // Go type: time
	    since: any;
	    // Go type: time
	    until: any;
	    collection?: string;
	    search?: string;
	    kind?: string;
	    failed?: boolean;
	    text?: string;
	    before?: number;
	    limit?: number;
	}
	export interface LedgerRecord {
	    n: number;
	    prev: string;
	    // Go type: time
	    at: any;
	    kind: string;
	    of?: number;
	    search?: string;
	    collections?: string[];
	    policy?: string;
	    by?: string;
	    code?: string;
	    host?: string;
	    model?: string;
	    bytes?: number;
	    body?: string;
	    query?: string;
	    passages?: string[];
	    query_text?: string;
	    passage_texts?: string[];
	    status?: number;
	    ms?: number;
	    faults?: LedgerFault[];
	    ended?: LedgerEntry;
	}
	export interface LedgerState {
	    path: string;
	    entries: number;
	    bytes: number;
	    head: string;
	    // Go type: time
	    verified: any;
	    faults: LedgerFault[];
	    acknowledged: LedgerFault[];
	    problem?: string;
	}
	
	export interface MeasureProgress {
	    phase: string;
	    done: number;
	    of: number;
	}
	export interface MeasureRequest {
	    collection: string;
	    stages: string[];
	    candidates: number;
	    variety: boolean;
	    send: boolean;
	}
	export interface ModelGet {
	    name: string;
	    from: string;
	    reembed: boolean;
	}
	export interface ModelImport {
	    path: string;
	    as: string;
	    precision: string;
	    reembed: boolean;
	}
	export interface ModelImported {
	    name: string;
	    from: string;
	    already: boolean;
	    code?: string;
	    reason?: string;
	    hint?: string;
	}
	export interface ModelPack {
	    names: string[];
	    runtime: boolean;
	    program: boolean;
	    to: string;
	}
	export interface ModelPacked {
	    path: string;
	    names: string[];
	    files: number;
	    bytes: number;
	}
	export interface ModelProgress {
	    name: string;
	    phase: string;
	    file: string;
	    source: string;
	    done: number;
	    total: number;
	    rate: number;
	    remaining: number;
	}
	
	
	export interface MovementBucket {
	    from?: number;
	    to?: number;
	    count: number;
	}
	export interface Movement {
	    searches: number;
	    hits: number;
	    buckets: MovementBucket[];
	}
	
	
	
	export interface PreviewNotice {
	    code: string;
	    message: string;
	    hint?: string;
	}
	export interface PreviewText {
	    text: string;
	    passage: number[];
	    marks: number[][];
	    earlier: number;
	    later: number;
	}
	export interface PreviewPage {
	    number: number;
	    of: number;
	    image: number[];
	    width: number;
	    height: number;
	    passage: Box[];
	    marks: Box[];
	}
	export interface Preview {
	    chunk_id: number;
	    document_id: number;
	    ordinal: number;
	    path: string;
	    member?: string;
	    title: string;
	    format: string;
	    place: Place;
	    ocr?: number;
	    paged: boolean;
	    page?: PreviewPage;
	    text: PreviewText;
	    notice?: PreviewNotice;
	}
	export interface PreviewMatch {
	    chunk_id: number;
	    ordinal: number;
	    page?: number;
	}
	export interface PreviewMatches {
	    matches: PreviewMatch[];
	    more: boolean;
	}
	
	
	export interface PreviewRequest {
	    chunk_id: number;
	    query: string;
	    page?: number;
	    near?: number;
	    width?: number;
	}
	
	
	export interface QueryFilter {
	    kind: string;
	    value: string;
	    not: boolean;
	    or: boolean;
	    range: number[];
	    formats?: string[];
	    extensions?: string[];
	    languages?: string[];
	    date?: string;
	}
	
	export interface RepairReport {
	    repair: string;
	    found?: string;
	    collections: Collection[];
	    lost?: boolean;
	}
	
	export interface SavedSearch {
	    name: string;
	    query: string;
	    collection: string;
	    method: string;
	    rerank: string;
	    variety: boolean;
	}
	
	
	
	export interface SearchResponse {
	    query: string;
	    method: string;
	    requested_method: string;
	    filters: QueryFilter[];
	    collection: string;
	    rerank: RerankTrace;
	    verdict: Verdict;
	    stages: Stage[];
	    degraded: string[];
	    searchable: boolean;
	    partial: boolean;
	    hits: Hit[];
	}
	
	export interface SettingChange {
	    name: string;
	    value: string;
	    reset: boolean;
	}
	export interface SettingState {
	    name: string;
	    about: string;
	    kind: string;
	    value: string;
	    from: string;
	    default: string;
	    default_from: string;
	    choices: string[];
	    min: string;
	    max: string;
	    restart: boolean;
	    variable: string;
	}
	
	export interface Status {
	    version: string;
	    data_dir: string;
	    index_bytes: number;
	    offline: boolean;
	    collections: CollectionSummary[];
	    embedder: Component;
	    runtime: Component;
	    local_reranker: Component;
	    cohere: Component;
	    ledger: Component;
	    drill?: DrillSummary;
	    calibration: Calibration[];
	}
	
	export interface Suggestion {
	    collection: string;
	    queries: number;
	    now: SearchChoice;
	    "now_ndcg@10": number;
	    best: SearchChoice;
	    "best_ndcg@10": number;
	    gain: Evidence;
	    significant: boolean;
	    thresholds?: Record<string, number>;
	    no_threshold?: string;
	    fixed_rerank?: string;
	}
	
	
	export interface WatchState {
	    watched: number;
	    unwatched: number;
	    reason?: string;
	}

}

export namespace eval {
	
	export interface Delta {
	    delta: number;
	    low: number;
	    high: number;
	    p: number;
	    significant: boolean;
	}
	export interface Change {
	    stage: string;
	    queries: number;
	    "mrr@10": Delta;
	    "ndcg@10": Delta;
	}
	export interface Comparison {
	    stage: string;
	    input: boolean;
	    "mrr@10": Delta;
	    "ndcg@10": Delta;
	}
	
	export interface Figures {
	    mrr: number;
	    ndcg: number;
	}
	export interface Interval {
	    low: number;
	    high: number;
	}
	export interface Skipped {
	    stage: string;
	    reason: string;
	}
	export interface RerankReport {
	    backend: string;
	    model: string;
	    device: string;
	    precision: string;
	    candidates_in: number;
	    candidates_out: number;
	    not_reranked: number;
	    latency_ms: Latency;
	    moved: domain.Movement;
	    relevant_moved: domain.Movement;
	}
	export interface Latency {
	    p50: number;
	    p95: number;
	}
	export interface StageReport {
	    name: string;
	    metrics: Record<string, number>;
	    intervals: Record<string, Interval>;
	    latency_ms: Latency;
	    against: Comparison[];
	    rerank?: RerankReport;
	}
	export interface Report {
	    dataset: string;
	    queries: number;
	    documents: number;
	    candidates: number;
	    top: number;
	    mmr?: number;
	    stages: StageReport[];
	    skipped: Skipped[];
	    warnings: string[];
	}
	export interface Kept {
	    id: string;
	    // Go type: time
	    at: any;
	    report: Report;
	    figures?: Record<string, any>;
	}
	
	
	
	

}

