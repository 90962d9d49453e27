package io.rankfeed.job.plan;

import io.rankfeed.job.Stage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.selection.SelectedStratum;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The conditions of an export's stages. Where there are any, the last part of a stratum's name says which stages take its rows, such
 * as {@code stages 1,2}, so that stages of a plan over the version can have the same conditions.
 *
 * @param wheres by stage; empty for a stage that takes all rows
 */
public record StageConditions(List<Optional<String>> wheres) {
    /** The conditions of an export without stages. */
    public static final StageConditions NONE = new StageConditions(List.of());

    /** The beginning of the part of a stratum's name. */
    public static final String PREFIX = "stages ";

    /** The stage of a stratum that no stage takes. */
    private static final int NO_STAGE = -1;

    public StageConditions {
        wheres = List.copyOf(wheres);
    }

    /** The conditions of the stages of an export. */
    public static StageConditions of(List<Stage> stages) {
        return new StageConditions(stages.stream().map(Stage::where).toList());
    }

    /** The stages in a part of a stratum's name, from 0. */
    public static Set<Integer> stages(String part) {
        return Arrays.stream(part.substring(PREFIX.length()).split(",", -1))
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
    }

    /** @throws ConfigException if a stage has a condition that no stage of the export has */
    void check(String feed, List<Stage> stages) {
        List<String> known =
                wheres.stream().flatMap(Optional::stream).distinct().toList();
        for (int i = 0; i < stages.size(); i++) {
            Optional<String> where = stages.get(i).where();
            if (where.isPresent() && !known.contains(where.get())) {
                throw new ConfigException("feed '" + feed + "': stage " + i
                        + ", where chooses rows of a table: no stage of"
                        + " the export has the condition '" + where.get() + "'" + Suggestion.hint(where.get(), known)
                        + "; leave it out, or export a version with it");
            }
        }
    }

    /** The stages of a plan that take a stratum of the export; empty for all. */
    Set<Integer> taking(SelectedStratum stratum, List<Stage> stages) {
        if (stages.stream().allMatch(stage -> stage.where().isEmpty())) {
            return Set.of();
        }
        String name = stratum.name();
        Set<Integer> exported = stages(name.substring(name.lastIndexOf('/') + 1));
        Set<Optional<String>> met = exported.stream().map(wheres::get).collect(Collectors.toSet());
        Set<Integer> taking = IntStream.range(0, stages.size())
                .filter(i -> stages.get(i).where().isEmpty()
                        || met.contains(stages.get(i).where()))
                .boxed()
                .collect(Collectors.toSet());
        return taking.isEmpty() ? Set.of(NO_STAGE) : taking;
    }
}
