package io.rankfeed.spark.sample.strata;

import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.rankfeed.job.Stage;
import io.rankfeed.job.plan.StageConditions;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Condition;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The stages that take a row, if some stages have a condition: the last part of the stratum's name, such as {@code stages 1,2}. */
final class StageClasses {
    private StageClasses() {}

    /**
     * The part, {@link StrataPart#UNBINNED} for a row that no stage takes; nothing where all stages take all rows.
     *
     * @throws ConfigException if a stage's {@code where} is not a condition on a row
     */
    static Optional<Column> part(String feed, List<Stage> stages, Dataset<Row> rows) {
        if (stages.stream().allMatch(stage -> stage.where().isEmpty())) {
            return Optional.empty();
        }
        Column[] numbers = IntStream.range(0, stages.size())
                .mapToObj(i -> {
                    String where = "feed '" + feed + "', stage " + i + ", where";
                    Column number = lit(Integer.toString(i));
                    return stages.get(i)
                            .where()
                            .map(condition -> when(Condition.holds(where, rows, condition), number))
                            .orElse(number);
                })
                .toArray(Column[]::new);
        Column taken = concat_ws(",", numbers);
        return Optional.of(when(taken.equalTo(""), lit(StrataPart.UNBINNED))
                .otherwise(concat(lit(StageConditions.PREFIX), taken)));
    }
}
