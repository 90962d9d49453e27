package io.rankfeed.spark.format;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.export.format.Survey;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;

/** The parts of all sets of an artifact: surveyed and written by tasks, then what describes them by the driver. */
final class FormatParts {
    private final Sets sets;
    private final ArtifactAttempt folder;
    private final Format format;
    private final PartTask task;
    /** By set, the results of the survey for its parts; none for a format without a survey. */
    private final List<List<byte[]>> surveys = new ArrayList<>();

    FormatParts(Sets sets, ArtifactAttempt folder) {
        this.sets = sets;
        this.folder = folder;
        this.format = sets.format();
        this.task = new PartTask(sets, folder);
        for (FileSet set : sets.all()) {
            List<byte[]> results = new ArrayList<>();
            // The result of no rows, for a part without any.
            Optional<Survey> survey = format.survey(set);
            survey.ifPresent(one -> results.addAll(Collections.nCopies(set.parts(), one.result())));
            surveys.add(results);
        }
    }

    boolean needSurvey() {
        return surveys.stream().anyMatch(results -> !results.isEmpty());
    }

    /** @param sorted rows of {@link RoutedLanes}, sorted by their destination within partitions that have whole parts */
    void survey(JavaRDD<InternalRow> sorted) {
        for (PartTask.Surveyed surveyed : sorted.mapPartitions(task::survey).collect()) {
            int set = sets.setOf(surveyed.part());
            surveys.get(set).set(surveyed.part() - sets.firstPart(set), surveyed.result());
        }
    }

    /**
     * Writes all files.
     *
     * @param sorted as for the survey
     * @throws CorruptDataException if a part has no rows that should have some
     */
    List<WrittenFile> write(JavaRDD<InternalRow> sorted) {
        Map<Integer, PartTask.Written> byPart = written(sorted, task, surveys);
        FaultPoints.reached("format.after-parts");
        List<WrittenFile> files = new ArrayList<>();
        try {
            for (int number = 0; number < sets.all().size(); number++) {
                finish(number, byPart, files);
            }
            for (Map.Entry<String, List<FileSet>> root : sets.byRoot().entrySet()) {
                StagedFiles ends = new StagedFiles(folder, root.getKey());
                format.finishAll(root.getValue(), ends);
                files.addAll(ends.written());
            }
        } catch (IOException e) {
            throw Storage.failed("write", folder.path(), e);
        }
        return files;
    }

    private static Map<Integer, PartTask.Written> written(
            JavaRDD<InternalRow> sorted, PartTask task, List<List<byte[]>> surveys) {
        Map<Integer, PartTask.Written> byPart = new HashMap<>();
        sorted.mapPartitions(rows -> task.write(rows, surveys))
                .collect()
                .forEach(part -> byPart.put(part.part(), part));
        return byPart;
    }

    private void finish(int number, Map<Integer, PartTask.Written> byPart, List<WrittenFile> files) throws IOException {
        FileSet set = sets.all().get(number);
        List<PartSummary> summaries = new ArrayList<>();
        List<MetadataParts.Scratch> metadata = new ArrayList<>();
        for (int index = 0; index < set.parts(); index++) {
            int part = sets.firstPart(number) + index;
            PartTask.Written found = set.part(index).rows() == 0 ? task.writeEmpty(part, surveys) : byPart.get(part);
            if (found == null) {
                throw new CorruptDataException(
                        sets.root(number) + set.split(),
                        "part " + index + " got no rows from the lanes; run the job again");
            }
            summaries.add(found.summary());
            metadata.add(found.metadata());
            files.addAll(found.files());
        }
        StagedFiles ends = new StagedFiles(folder, sets.root(number));
        format.finish(set, summaries, ends);
        files.addAll(ends.written());
        files.add(MetadataParts.join(set, sets.root(number), metadata, folder));
    }
}
