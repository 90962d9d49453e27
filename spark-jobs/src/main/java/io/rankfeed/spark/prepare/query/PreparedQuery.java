package io.rankfeed.spark.prepare.query;

import io.rankfeed.job.PrepareSection;
import io.rankfeed.job.TensorSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Provenance;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.RowPacker;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.prepare.sequence.SequencePacking;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.source.Sources;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The job's query, checked.
 *
 * @param provenance the query's rows and the source that they come from
 * @param missingColumns messages about columns that some files of the sources do not have
 * @param places the files of that source, as the manifest lists them
 * @param byUnit whether the rows of a unit are in one partition, in their total order
 */
public record PreparedQuery(
        SparkSession spark,
        PrepareSection section,
        Provenance provenance,
        Sources sources,
        List<String> missingColumns,
        RowLayout layout,
        SourceIndex places,
        boolean byUnit) {
    /** @throws ConfigException if the query is wrong, a column has an unsupported type, or the key is wrong or missing */
    public static PreparedQuery of(JobContext context, Sources sources) {
        Provenance provenance = Provenance.of(
                context.spark(), context.job().query(), context.job().sources().keySet());
        PrepareSection section = context.job().prepare();
        List<String> missingColumns = sources.missingColumns(provenance.rows());
        boolean byUnit = false;
        if (section.pack().isPresent()) {
            SequencePacking packing = SequencePacking.of(provenance.rows(), section);
            byUnit = packing.isByUnit() && section.clusterBy().isEmpty();
            Units.Hashes units = UnitPlanner.hashes(sources.lengthBytes(), section);
            provenance = new Provenance(packing.rows(context.spark(), units), Optional.empty(), false);
            section = section.ofSequences(packing.tensors());
        }
        Map<String, TensorSection> tensors = tensors(context, section, provenance.rows());
        RowLayout layout = new RowLayout(QueryColumns.of(provenance.rows().schema(), section, tensors));
        if (section.key().isEmpty()
                && (!provenance.narrow() || provenance.source().isEmpty())) {
            throw new ConfigException("prepare.key is needed: the query joins, groups, sorts or explodes, or its source"
                    + " has no row addresses; name the columns that identify a row, as in key: [id]");
        }
        PreparedQuery query = new PreparedQuery(
                context.spark(), section, provenance, sources, missingColumns, layout, new SourceIndex(), byUnit);
        query.source().ifPresent(query.places::add);
        return query;
    }

    private static Map<String, TensorSection> tensors(JobContext context, PrepareSection section, Dataset<Row> rows) {
        boolean auto = section.tensors().values().stream().anyMatch(TensorSection::isAuto);
        return auto ? NarrowestTypes.decided(rows, section.tensors(), context.progress()) : section.tensors();
    }

    public Dataset<Row> rows() {
        return provenance.rows();
    }

    /** The source whose rows the query selects, if their addresses are known. */
    Optional<OpenSource> source() {
        return provenance.source().flatMap(sources::find);
    }

    boolean isDriving(OpenSource source) {
        return provenance.source().filter(source.name()::equals).isPresent();
    }

    boolean hasKey() {
        return !section.key().isEmpty();
    }

    RowPacker packer(Units units) {
        return packer(layout, units);
    }

    /** Makes a packer for some of the columns. */
    RowPacker packer(RowLayout columns, Units units) {
        return new RowPacker(
                columns,
                new ArrayList<>(section.key()),
                units,
                provenance.source().isPresent(),
                places,
                section.nonFinite());
    }
}
