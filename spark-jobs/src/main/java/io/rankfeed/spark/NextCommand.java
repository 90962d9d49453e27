package io.rankfeed.spark;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/** The command that goes on where a job has ended, as a user writes it. */
final class NextCommand {
    private NextCommand() {}

    /** @param run folder of the run's facts, {@code ROOT/DATASET/runs/RUN-ID} */
    static Optional<String> after(Goal goal, JobOptions options, Job job, Path run) {
        List<String> words = new ArrayList<>(List.of(launcher()));
        if (goal.exports()) {
            int ranks = job.sample().values().stream()
                    .mapToInt(FeedSection::lanes)
                    .min()
                    .orElse(1);
            words.addAll(List.of("feed", quoted(dataset(run) + "@" + run.getName()), "--"));
            words.addAll(List.of("torchrun", "--nproc-per-node", Integer.toString(ranks), "train.py"));
        } else if (job.sample().isEmpty()) {
            return Optional.empty();
        } else {
            words.addAll(List.of(goal == Goal.PREPARE ? "sample" : "export", quoted(options.file())));
            options.assignments().forEach(assignment -> words.addAll(List.of("--set", quoted(assignment))));
        }
        return Optional.of(String.join(" ", words));
    }

    /** The name of the launcher as the user writes it. */
    static String launcher() {
        return Objects.requireNonNullElse(System.getenv("RANKFEED_COMMAND"), "rankfeed");
    }

    /** A path of this machine without a scheme. */
    private static String dataset(Path run) {
        Path dataset =
                Objects.requireNonNull(Objects.requireNonNull(run.getParent()).getParent());
        String scheme = dataset.toUri().getScheme();
        return scheme == null || scheme.equals("file") ? dataset.toUri().getPath() : dataset.toString();
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
