package io.rankfeed.spark.prepare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.card.DatasetCard;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.job.Job;
import io.rankfeed.job.SourceSection;
import io.rankfeed.job.SourceSection.Read;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.spark.engine.Scans;
import io.rankfeed.spark.file.LineChoice;
import io.rankfeed.spark.function.JobFunctions;
import io.rankfeed.spark.prepare.pack.GuardedPacker;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.prepare.query.BadRowScan;
import io.rankfeed.spark.prepare.query.InPlaceSource;
import io.rankfeed.spark.prepare.query.PreparedQuery;
import io.rankfeed.spark.prepare.query.Reading;
import io.rankfeed.spark.prepare.query.RowCounts;
import io.rankfeed.spark.prepare.query.SizeSample;
import io.rankfeed.spark.prepare.sequence.SequenceReport;
import io.rankfeed.spark.prepare.write.KeyCheck;
import io.rankfeed.spark.prepare.write.Statistics;
import io.rankfeed.spark.prepare.write.TableSpec;
import io.rankfeed.spark.prepare.write.TableWriter;
import io.rankfeed.spark.prepare.write.UnitResult;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Phase;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.source.Sources;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;

/** The phase that makes the prepared table. */
public final class Prepare extends Phase<PreparedTable> {
    private final Job job;
    private final Sources sources;
    private final JobFunctions functions;
    private final RowFailures failures;

    private Prepare(JobContext context, JobFunctions functions, Sources sources) {
        super(context, ArtifactFormat.PREPARED, meaning(context.job(), functions), sources.identities());
        this.job = context.job();
        this.functions = functions;
        this.sources = sources;
        this.failures = new RowFailures(context, sources);
    }

    private static Prepare open(JobContext context, LineChoice choice) {
        JobFunctions functions = JobFunctions.open(context);
        return new Prepare(context, functions, context.openSources(choice));
    }

    /** Makes the table of a job whose sources are read whole; as {@link #run(JobContext, LineChoice)}. */
    public static PreparedTable run(JobContext context) {
        return run(context, Sources.NO_CHOICE);
    }

    /**
     * Makes the table, or finds it made.
     *
     * @param choice called for each source of which only the lines are read that the feeds choose
     * @throws ConfigException if the job cannot be done as written
     * @throws CorruptDataException if an input is damaged, or a key is null or a duplicate
     * @throws EnvironmentException if storage, network or metastore fail, or an input changed meanwhile
     */
    public static PreparedTable run(JobContext context, LineChoice choice) {
        context.progress().phase("prepare");
        context.step("prepare: check the sources");
        return run(context, () -> {
            Prepare prepare = open(context, choice);
            prepare.sources.messages().forEach(context.progress()::note);
            PreparedTable table = prepare.sources.blaming(
                    context.hadoop(),
                    () -> prepare.failures.placing(() -> {
                        PreparedTable found = prepare.artifact();
                        // A table that is there may have been made with a greater share.
                        BadRowScan.refuseMany(
                                () -> PreparedQuery.of(context, prepare.sources),
                                context.job().prepare().quarantineAtMost(),
                                RowCounts.of(found.manifest()));
                        return found;
                    }));
            if (context.job().prepare().register().isPresent()) {
                Registration.register(context, table);
            }
            return table;
        });
    }

    /** Checks and counts what {@link #run(JobContext, LineChoice)} would give, and writes nothing. Fails as that does. */
    public static Preview preview(JobContext context, LineChoice choice) {
        return run(context, () -> {
            Prepare prepare = open(context, choice);
            return prepare.sources.blaming(context.hadoop(), () -> prepare.failures.placing(prepare::preview));
        });
    }

    private Preview preview() {
        PreparedQuery query = query();
        Reading reading = Reading.of(query);
        statistics(query);
        Optional<PreparedTable> table = existing();
        if (table.isEmpty()) {
            refuseOtherCounts(reading);
        }
        RowCounts counts = table.map(made -> RowCounts.of(made.manifest())).orElseGet(reading::count);
        long rows = counts.rows();
        failures.refuseEmpty(rows, query);
        BadRowScan.refuseMany(() -> query, job.prepare().quarantineAtMost(), counts);
        SizeSample sample = reading.sizes();
        return new Preview(
                table,
                counts,
                sources.lengthBytes(),
                table.map(made -> made.manifest().totalBytes()).orElseGet(() -> (long) (sample.bytesPerRow() * rows)),
                table.map(made -> made.manifest().schema()).orElseGet(() -> schema(query.layout(), sample.nulls())),
                sample.valueBytes().stream()
                        .map(bytes -> (double) bytes / Math.max(1, sample.rows()))
                        .toList(),
                Scans.of(context.spark(), query.rows()),
                reading.unpacked(),
                reading.stored());
    }

    private PreparedQuery query() {
        PreparedQuery query = PreparedQuery.of(context, sources);
        if (isInPlace()) {
            InPlaceSource.refuseDifferentFiles(query);
        }
        query.missingColumns().forEach(context.progress()::note);
        return query;
    }

    @Override
    protected PreparedTable write() {
        PreparedQuery query = query();
        Reading reading = failures.naming(query, () -> Reading.of(query));
        refuseOtherCounts(reading);
        return isInPlace() ? keptInPlace(reading) : rewritten(reading);
    }

    private boolean isInPlace() {
        return job.prepare().rewrite().isPresent();
    }

    /** If all rows of the only source are written, {@link Reading#refuseOtherCount} compares instead, without a pass. */
    private void refuseOtherCounts(Reading reading) {
        if (isInPlace() || !reading.isWhole()) {
            context.step("prepare: compare the rows that are read with those of the files");
            sources.refuseOtherCounts();
        }
    }

    /** A manifest alone: the rows stay where they are. */
    private PreparedTable keptInPlace(Reading reading) {
        PreparedQuery query = reading.query();
        context.step("prepare: count the rows");
        long rows = reading.count().rows();
        failures.refuseEmpty(rows, query);
        context.step("prepare: check for duplicate keys");
        reading.duplicates();
        context.step("prepare: check for nulls");
        SampleSchema schema = schema(query.layout(), InPlaceSource.nulls(query, context.hadoop()));
        sources.refuseChanges(context.hadoop());
        Manifest.Prepared manifest = new Manifest.Prepared(
                contents(rows, List.of()), schema, query.places().names(), Map.of(), Map.of());
        InPlaceHistory.reported(folder.path(), manifest, context.hadoop()).ifPresent(context.progress()::note);
        PreparedTable table = commit(List.of(), manifest);
        context.progress()
                .note(String.format(
                        Locale.ROOT,
                        "%s in their %s; 'inspect' judges the row groups of those files",
                        Plural.counted(rows, "row stays", "rows stay"),
                        Plural.counted(query.places().names().size(), "file")));
        return table;
    }

    private PreparedTable rewritten(Reading reading) {
        PreparedQuery query = reading.query();
        Statistics statistics = statistics(query);
        context.step("prepare: count rows, measure a sample");
        Units units = failures.naming(query, reading::units);
        KeyCheck keyCheck = reading.keyCheck();
        GuardedPacker.Duplicates duplicates = GuardedPacker.Duplicates.none();
        if (keyCheck == KeyCheck.BEFORE) {
            context.step("prepare: check for duplicate keys");
            duplicates = reading.duplicates();
        }
        List<UnitResult> results = written(reading, units, keyCheck, duplicates, statistics);
        if (keyCheck == KeyCheck.AFTER && UnitResult.anyIdTwice(results)) {
            context.step("prepare: check for duplicate keys");
            reading.duplicates();
        }
        sources.refuseChanges(context.hadoop());
        sources.keepIndices(context.hadoop());
        List<WrittenFile> files = UnitResult.filesOf(results);
        long rows = files.stream().mapToLong(WrittenFile::rows).sum();
        failures.refuseEmpty(rows, query);
        reading.refuseOtherCount(rows);
        RowCounts counts = new RowCounts(rows, UnitResult.badOf(results));
        BadRowScan.refuseMany(() -> query, job.prepare().quarantineAtMost(), counts);
        BitSet nulls = new BitSet();
        results.forEach(result -> nulls.or(result.nulls()));
        SampleSchema schema = schema(query.layout(), nulls);
        List<WrittenFile> all = new ArrayList<>(files);
        results.forEach(result -> all.addAll(result.quarantined()));
        if (job.prepare().petastorm()) {
            all.add(PetastormFile.write(folder, context.hadoop(), job.dataset(), schema, files));
        }
        functions.files().forEach((path, bytes) -> all.add(folder.write(path, bytes)));
        if (job.prepare().delta()) {
            all.add(DeltaLogFile.write(
                    folder, folder.path().getName(), query.layout().stored(), files));
        }
        Manifest.Prepared bare = new Manifest.Prepared(
                contents(rows, all.stream().map(WrittenFile::listed).toList()),
                schema,
                query.places().names(),
                counts.bad(),
                statistics.merged(results));
        PreparedTable table = commit(all, bare, DatasetCard.ofPrepared(bare));
        job.prepare().pack().ifPresent(pack -> context.progress()
                .note(SequenceReport.of(context.spark(), table, pack)));
        long oversized = results.stream().mapToLong(UnitResult::oversized).sum();
        if (oversized > 0) {
            context.progress()
                    .note(Plural.counted(oversized, "row is", "rows are")
                            + " larger than a block, each in a file of its own");
        }
        long encodes = results.stream().mapToLong(UnitResult::encodes).sum();
        context.progress().note(Plural.counted(rows, "row") + " in " + Plural.counted(files.size(), "row group"));
        context.progress()
                .debug(String.format(
                        Locale.ROOT, "fill %.3f, %.2f encodes each", fill(files), (double) encodes / files.size()));
        counts.leftOut().ifPresent(context.progress()::note);
        return table;
    }

    private Statistics statistics(PreparedQuery query) {
        return Statistics.of(context.spark(), query.layout(), job.prepare().statistics());
    }

    private List<UnitResult> written(
            Reading reading,
            Units units,
            KeyCheck keyCheck,
            GuardedPacker.Duplicates duplicates,
            Statistics statistics) {
        PreparedQuery query = reading.query();
        TableSpec spec = new TableSpec(
                query.layout(),
                query.places(),
                folder,
                TableSpec.Format.of(job.prepare()),
                units,
                reading.check().content().orElse(null),
                statistics,
                keyCheck);
        context.step("prepare: shuffle rows by unit, write row groups");
        return failures.naming(query, () -> TableWriter.write(reading.byUnit(units, duplicates), spec));
    }

    /** Bytes over the blocks that they take, the last file left out where there are several. */
    private double fill(List<WrittenFile> files) {
        int counted = Math.max(1, files.size() - 1);
        long bytes = files.stream()
                .limit(counted)
                .mapToLong(WrittenFile::lengthBytes)
                .sum();
        return (double) bytes / counted / job.prepare().block().bytes();
    }

    /** Columns in which no null was met are not nullable, whatever the query's types say. */
    private static SampleSchema schema(RowLayout layout, BitSet nulls) {
        return new SampleSchema(IntStream.range(0, layout.columns().size())
                .mapToObj(i -> layout.columns().get(i).field(nulls.get(i)))
                .toList());
    }

    @Override
    protected PreparedTable open(byte[] bytes) {
        Path file = new Path(folder.path(), Manifest.FILE_NAME);
        return new PreparedTable(
                folder.path(),
                ManifestJson.require(
                        ManifestJson.parse(bytes, file.toString(), JsonLimits.PREPARED),
                        Manifest.Prepared.class,
                        file.toString()),
                Sha256.hex(bytes));
    }

    /** The part of the job that decides the bytes: no place, no table to register. */
    private static ObjectNode meaning(Job job, JobFunctions functions) {
        ObjectNode whole = ConfigJson.toJson(job);
        ObjectNode prepare = whole.withObject("/prepare");
        prepare.remove(List.of("register", "select", "quarantine-at-most"));
        prepare.put("sql", job.query());
        functions.identify(prepare);
        ObjectNode sources = whole.withObject("/sources");
        job.sources().forEach((name, section) -> sources.withObject("/" + name)
                // The version that they name is in the input's identity.
                .remove(SourceSection.IN_IDENTITY));
        boolean byFeeds = job.sources().values().stream().anyMatch(section -> section.read() == Read.CHOSEN);
        whole.retain(byFeeds ? List.of("prepare", "sources", "sample") : List.of("prepare", "sources"));
        return whole;
    }
}
